//! JSON output: one object per command, on one line.

use crate::failure::Outcome;
use crate::run::{End, Finished};
use crawl_catalogue::{Chosen, ParamValue, Params};
use crawl_core::{Bounds, N_RANDOM_RUNS, Refusal};
use crawl_protocol::WorldSource;
use crawl_run::{Lane, Run, Series};
use crawl_world::{PageId, World};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes a value and a newline to standard output.
pub fn print(value: &impl Serialize) -> Outcome {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Size, digest and source of a world.
pub fn world(world: &World, source: &WorldSource) -> Map<String, Value> {
    let value = json!({
        "pages": world.n_pages(),
        "links": world.n_links(),
        "digest": world.digest().to_string(),
        "source": source.to_string(),
        "title": world.title(),
        "hosts": world.hosts().len(),
        "sites": world.n_sites(),
    });
    object(value)
}

/// Seeds of a run, and how many pages they reach.
pub fn reach(run: &Run) -> Map<String, Value> {
    let seeds: Vec<_> = run.seeds.iter().map(|page| run.world.url(*page)).collect();
    let value = json!({
        "seeds": seeds,
        "reachable": run.reach.n_pages(),
        "depth": run.reach.max_depth(),
    });
    object(value)
}

/// All parameters of a strategy or of the rules.
pub fn params(params: &Params) -> Map<String, Value> {
    let value = |value: &ParamValue| match value {
        ParamValue::Number(x) => number(*x),
        ParamValue::Flag(x) => Value::from(*x),
        ParamValue::Choice(x) | ParamValue::Text(x) => Value::from(x.as_str()),
        ParamValue::Vector(xs) => xs.iter().map(|x| number(*x)).collect(),
        ParamValue::Entry(chosen) => Value::from(chosen.to_string()),
    };
    let pairs = params.iter().map(|(key, v)| (key.to_owned(), value(v)));
    pairs.collect()
}

/// Id, spec and parameters of a strategy.
pub fn strategy(chosen: &Chosen, is_oracle: bool) -> Map<String, Value> {
    let value = json!({
        "strategy": chosen.id,
        "spec": chosen.to_string(),
        "params": params(&chosen.params),
        "oracle": is_oracle,
    });
    object(value)
}

/// Id and parameters of a revisit policy.
pub fn policy(chosen: &Chosen) -> Map<String, Value> {
    object(json!({ "policy": chosen.id, "params": params(&chosen.params) }))
}

/// A JSON number; integers are written without a fraction.
pub fn number(x: f64) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e15 { Value::from(x as i64) } else { Value::from(x) }
}

/// The fields of a JSON object.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Prints the comparison of all runs.
pub fn print_run(finished: &Finished, order: bool) -> Outcome {
    let run = &finished.run;
    let mut world = world(&run.world, &finished.loaded.source);
    world.append(&mut reach(run));
    let lanes = run.lanes.iter().zip(&finished.ends);
    let runs = lanes.map(|(lane, end)| RunObject {
        head: run_head(lane, end),
        order: order.then(|| Order { world: &run.world, pages: &lane.travel().trace().pages }),
        metrics: metrics(lane),
        counters: counters(end),
        digest: &end.digest,
        reproduced: end.reproduced(),
        at: at(end),
    });
    print(&Comparison {
        world,
        rules: params(&run.experiment.rules),
        rng: run.experiment.rng,
        area_pages: run.setting().area_pages,
        runs: runs.collect(),
        bounds: run.bounds.as_ref().map(bounds),
        link: &finished.link,
    })
}

#[derive(Serialize)]
struct Comparison<'a> {
    world: Map<String, Value>,
    rules: Map<String, Value>,
    rng: u64,
    area_pages: u32,
    runs: Vec<RunObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Value>,
    link: &'a str,
}

#[derive(Serialize)]
struct RunObject<'a> {
    #[serde(flatten)]
    head: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order<'a>>,
    metrics: Map<String, Value>,
    counters: Value,
    digest: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduced: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Value>,
}

/// URLs in fetch order, serialised one by one without a copy of all.
struct Order<'a> {
    world: &'a World,
    pages: &'a [PageId],
}

impl Serialize for Order<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.pages.iter().map(|page| self.world.url(*page)))
    }
}

fn run_head(lane: &Lane, end: &End) -> Map<String, Value> {
    let mut head = strategy(&lane.strategy, lane.is_oracle());
    if let Some(chosen) = &lane.revisit {
        head.insert("revisit".into(), policy(chosen).into());
    }
    head.insert("fetched".into(), lane.travel().farthest().into());
    head.insert("discovered".into(), end.discovered.into());
    head.insert("seconds".into(), end.seconds.into());
    head
}

fn metrics(lane: &Lane) -> Map<String, Value> {
    let measures = lane.measures().iter();
    let pairs = measures.map(|measured| (measured.name.clone(), points(&measured.series)));
    pairs.collect()
}

fn points(series: &Series) -> Value {
    let point = |(step, value): (u32, f64)| json!([step, value]);
    series.points().map(point).collect()
}

fn counters(end: &End) -> Value {
    let counters = &end.counters;
    let refused = Refusal::ALL.iter().zip(counters.refused);
    let refused = refused.map(|(reason, n)| (reason.name().to_owned(), Value::from(n)));
    json!({
        "started": counters.started,
        "errors": counters.errors,
        "redirects": counters.redirects,
        "robots_requests": counters.robots_requests,
        "refused": refused.collect::<Map<_, _>>(),
    })
}

fn at(end: &End) -> Option<Value> {
    let at = end.at.as_ref()?;
    Some(json!({ "step": at.step, "fetched": at.fetched, "next": at.next }))
}

fn bounds(bounds: &Bounds) -> Value {
    let curve = |values: &[f64]| {
        let mut series = Series::default();
        (1..).zip(values).for_each(|(step, value)| series.push(step, Some(*value)));
        points(&series)
    };
    json!({
        "pages": bounds.ideal.len(),
        "random_runs": N_RANDOM_RUNS,
        "ideal": curve(&bounds.ideal),
        "random": curve(&bounds.random),
        "random_deviation": curve(&bounds.random_deviation),
        "ideal_area": bounds.ideal_area.last(),
        "random_area": bounds.random_area.last(),
        "random_area_deviation": bounds.random_area_deviation.last(),
    })
}
