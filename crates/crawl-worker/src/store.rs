//! The browser's store: worlds in their flat form, and experiments.
//!
//! IndexedDB, three tables by key: what cannot be told from a world itself (by digest, as an object
//! of plain fields, which later builds can still read), its flat form, and experiments (by link, as
//! such objects). It is opened for each
//! request, so that no page stands in the way of another. Whatever goes wrong, as it does where a
//! browser keeps nothing, becomes words.

use crate::world::{StoreReply, StoreRequest};
use crawl_post::said;
use crawl_protocol::world::{KeptExperiment, KeptWorld, Library, NotKept, Summary};
use crawl_world::order::{arranged, falling};
use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DedicatedWorkerGlobalScope, DomException, IdbDatabase, IdbObjectStore, IdbOpenDbRequest,
    IdbRequest, IdbTransaction, IdbTransactionMode, StorageEstimate,
};

const NAME: &str = "crawlscope";
const VERSION: u32 = 1;
const WORLDS: &str = "worlds";
const FLATS: &str = "flats";
const EXPERIMENTS: &str = "experiments";
const TABLES: [&str; 3] = [WORLDS, FLATS, EXPERIMENTS];

/// Does what is asked.
pub(crate) async fn serve(request: StoreRequest, scope: &DedicatedWorkerGlobalScope) -> StoreReply {
    let changed = match request {
        StoreRequest::Load { task, digest, now_ms } => {
            let world = load(scope, &digest, now_ms).await.map_err(|error| said(&error));
            return StoreReply::Loaded { task, world };
        }
        StoreRequest::KeepWorld { task, world, flat } => {
            let kept = keep_world(scope, *world, &flat).await.map_err(|error| not_kept(&error));
            return StoreReply::Kept { task, kept, flat };
        }
        StoreRequest::KeepExperiment(experiment) => keep_experiment(scope, &experiment).await,
        StoreRequest::Rename { key, name } => rename(scope, &key, &name).await,
        StoreRequest::Delete { key } => delete(scope, &key).await,
        StoreRequest::List => Ok(()),
    };
    let mut library = match list(scope).await {
        Ok(library) => library,
        Err(error) => Library { error: Some(said(&error)), ..Library::default() },
    };
    if let Err(error) = changed {
        library.error = Some(match not_kept(&error) {
            NotKept::Full => "its storage is full; delete stored worlds or experiments".to_owned(),
            NotKept::Words(words) => words,
        });
    }
    StoreReply::Library(library)
}

/// Why something was not stored. Browsers throw, or end the request or the transaction, with an
/// exception of this name when a page's space is used up.
fn not_kept(error: &JsValue) -> NotKept {
    match error.dyn_ref::<DomException>() {
        Some(error) if error.name() == "QuotaExceededError" => NotKept::Full,
        _ => NotKept::Words(said(error)),
    }
}

async fn load(
    scope: &DedicatedWorkerGlobalScope,
    digest: &str,
    now_ms: f64,
) -> Result<Option<(Vec<u8>, Box<KeptWorld>)>, JsValue> {
    let store = Tables::open(scope, &[WORLDS, FLATS], IdbTransactionMode::Readwrite).await?;
    let flat = settled(&store.table(FLATS)?.get(&digest.into())?).await?;
    let Ok(flat) = flat.dyn_into::<Uint8Array>() else { return Ok(None) };
    let worlds = store.table(WORLDS)?;
    let kept = settled(&worlds.get(&digest.into())?).await?;
    let mut world = world_of(digest, &kept);
    world.used_ms = now_ms;
    // That it was used is not worth failing for.
    let _ = worlds.put_with_key(&world_fields(&world), &digest.into());
    Ok(Some((flat.to_vec(), Box::new(world))))
}

async fn keep_world(
    scope: &DedicatedWorkerGlobalScope,
    mut world: KeptWorld,
    flat: &[u8],
) -> Result<(), JsValue> {
    let key = JsValue::from_str(&world.summary.digest);
    let store = Tables::open(scope, &[WORLDS, FLATS], IdbTransactionMode::Readwrite).await?;
    let worlds = store.table(WORLDS)?;
    let before = settled(&worlds.get(&key)?).await?;
    if before.is_object() {
        world.name = world_of(&world.summary.digest, &before).name;
    }
    worlds.put_with_key(&world_fields(&world), &key)?;
    store.table(FLATS)?.put_with_key(&Uint8Array::from(flat), &key)?;
    store.complete().await
}

async fn keep_experiment(
    scope: &DedicatedWorkerGlobalScope,
    experiment: &KeptExperiment,
) -> Result<(), JsValue> {
    let store = Tables::open(scope, &[EXPERIMENTS], IdbTransactionMode::Readwrite).await?;
    let key = JsValue::from_str(&experiment.link);
    store.table(EXPERIMENTS)?.put_with_key(&experiment_fields(experiment), &key)?;
    store.complete().await
}

async fn rename(scope: &DedicatedWorkerGlobalScope, key: &str, name: &str) -> Result<(), JsValue> {
    let store = Tables::open(scope, &[WORLDS, EXPERIMENTS], IdbTransactionMode::Readwrite).await?;
    for table in [WORLDS, EXPERIMENTS] {
        let table = store.table(table)?;
        let kept = settled(&table.get(&key.into())?).await?;
        if kept.is_object() {
            Reflect::set(&kept, &"name".into(), &name.into())?;
            table.put_with_key(&kept, &key.into())?;
        }
    }
    store.complete().await
}

async fn delete(scope: &DedicatedWorkerGlobalScope, key: &str) -> Result<(), JsValue> {
    let store = Tables::open(scope, &TABLES, IdbTransactionMode::Readwrite).await?;
    for table in TABLES {
        store.table(table)?.delete(&key.into())?;
    }
    store.complete().await
}

async fn list(scope: &DedicatedWorkerGlobalScope) -> Result<Library, JsValue> {
    let store = Tables::open(scope, &[WORLDS, EXPERIMENTS], IdbTransactionMode::Readonly).await?;
    let keys: Array = settled(&store.table(WORLDS)?.get_all_keys()?).await?.dyn_into()?;
    let worlds: Array = settled(&store.table(WORLDS)?.get_all()?).await?.dyn_into()?;
    let experiments: Array = settled(&store.table(EXPERIMENTS)?.get_all()?).await?.dyn_into()?;
    let named =
        |(key, kept): (JsValue, JsValue)| world_of(&key.as_string().unwrap_or_default(), &kept);
    let worlds: Vec<KeptWorld> = keys.iter().zip(worlds.iter()).map(named).collect();
    let experiments = experiments.iter().map(|kept| experiment_of(&kept)).collect();
    let worlds = arranged(worlds, |world| falling(world.used_ms));
    let experiments = arranged(experiments, |kept: &KeptExperiment| falling(kept.used_ms));
    let n_bytes = worlds.iter().map(|world| world.summary.n_bytes).sum();
    Ok(Library { worlds, experiments, n_bytes, quota: quota(scope).await, error: None })
}

/// How much the browser would keep, where it says.
async fn quota(scope: &DedicatedWorkerGlobalScope) -> Option<u64> {
    // Only pages that came over a safe connection have this.
    let storage = Reflect::get(&scope.navigator(), &"storage".into()).ok()?;
    let storage: web_sys::StorageManager = storage.dyn_into().ok()?;
    let estimate = JsFuture::from(storage.estimate().ok()?).await.ok()?;
    let quota = estimate.unchecked_into::<StorageEstimate>().get_quota()?;
    Some(quota as u64)
}

/// What is known of a world, as an object.
fn world_fields(world: &KeptWorld) -> JsValue {
    let KeptWorld { name, files, summary, used_ms } = world;
    let array = |words: &[String]| -> Array { words.iter().map(JsValue::from).collect() };
    object(&[
        ("name", name.into()),
        ("used", (*used_ms).into()),
        ("pages", summary.n_pages.into()),
        ("links", summary.n_links.into()),
        ("bytes", (summary.n_bytes as f64).into()),
        ("format", (&summary.format).into()),
        ("notices", array(&summary.notices).into()),
        ("files", array(files).into()),
    ])
}

/// What is known of a world; what cannot be read is taken for unknown.
fn world_of(digest: &str, kept: &JsValue) -> KeptWorld {
    let array = |key: &str| -> Vec<String> {
        let words: Array = field(kept, key).dyn_into().unwrap_or_default();
        words.iter().filter_map(|word| word.as_string()).collect()
    };
    let summary = Summary {
        digest: digest.to_owned(),
        n_pages: number(kept, "pages") as u32,
        n_links: number(kept, "links") as u32,
        n_bytes: number(kept, "bytes") as u64,
        format: words(kept, "format"),
        notices: array("notices"),
        ..Summary::default()
    };
    let name = words(kept, "name");
    let name = if name.is_empty() { digest.to_owned() } else { name };
    KeptWorld { name, files: array("files"), summary, used_ms: number(kept, "used") }
}

fn experiment_fields(experiment: &KeptExperiment) -> JsValue {
    let KeptExperiment { link, name, used_ms } = experiment;
    object(&[("link", link.into()), ("name", name.into()), ("used", (*used_ms).into())])
}

fn experiment_of(kept: &JsValue) -> KeptExperiment {
    let (link, name) = (words(kept, "link"), words(kept, "name"));
    KeptExperiment { link, name, used_ms: number(kept, "used") }
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        // A new object takes any field.
        let _ = Reflect::set(&object, &(*key).into(), value);
    }
    object.into()
}

fn field(kept: &JsValue, key: &str) -> JsValue {
    Reflect::get(kept, &key.into()).unwrap_or_default()
}

fn words(kept: &JsValue, key: &str) -> String {
    field(kept, key).as_string().unwrap_or_default()
}

fn number(kept: &JsValue, key: &str) -> f64 {
    field(kept, key).as_f64().unwrap_or_default()
}

/// Tables of the store, open for one request.
struct Tables {
    database: IdbDatabase,
    transaction: IdbTransaction,
}

impl Tables {
    async fn open(
        scope: &DedicatedWorkerGlobalScope,
        tables: &[&str],
        mode: IdbTransactionMode,
    ) -> Result<Self, JsValue> {
        let none = || JsValue::from("this browser keeps nothing here");
        let request = scope.indexed_db()?.ok_or_else(none)?.open_with_u32(NAME, VERSION)?;
        let make = Closure::once(make_tables);
        request.set_onupgradeneeded(Some(make.as_ref().unchecked_ref()));
        let database: IdbDatabase = settled(&request).await?.dyn_into()?;
        let names: Array = tables.iter().map(|table| JsValue::from_str(table)).collect();
        let transaction = database.transaction_with_str_sequence_and_mode(&names, mode)?;
        Ok(Self { database, transaction })
    }

    fn table(&self, name: &str) -> Result<IdbObjectStore, JsValue> {
        self.transaction.object_store(name)
    }

    /// Waits until everything is written.
    async fn complete(&self) -> Result<(), JsValue> {
        let transaction = &self.transaction;
        let written = Promise::new(&mut |resolve, reject| {
            transaction.set_oncomplete(Some(&resolve));
            transaction.set_onabort(Some(&reject));
        });
        let why = || match transaction.error() {
            Some(error) => JsValue::from(error),
            None => JsValue::from("the browser did not keep it"),
        };
        JsFuture::from(written).await.map(drop).map_err(|_| why())
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        // Takes effect once the transaction is over.
        self.database.close();
    }
}

fn make_tables(event: web_sys::Event) -> Result<(), JsValue> {
    let request: IdbOpenDbRequest = event.target().unwrap_throw().dyn_into()?;
    let database: IdbDatabase = request.result()?.dyn_into()?;
    for table in TABLES {
        database.create_object_store(table)?;
    }
    Ok(())
}

/// The result of a request, once it is there.
async fn settled(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let settled = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    let why = || match request.error() {
        Ok(Some(error)) => JsValue::from(error),
        _ => JsValue::from("the browser did not open its store"),
    };
    JsFuture::from(settled).await.map_err(|_| why())?;
    request.result()
}
