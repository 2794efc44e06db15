//! The tree of a page, as a list of nodes linked by index; no operation recurses.

use html5ever::interface::{
    Attribute, ElemName, ElementFlags, NodeOrText, QualName, QuirksMode, TreeSink,
};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace};
use std::borrow::Cow;
use std::cell::RefCell;

/// Index of a node; 0 is the document.
pub(super) type Handle = u32;

/// Marks a missing node.
const NONE: u32 = u32::MAX;
const DOCUMENT: u32 = 0;

/// Elements whose attributes are kept.
const WITH_ATTRIBUTES: [&str; 7] = ["a", "area", "base", "frame", "iframe", "img", "meta"];

/// A node.
pub(super) struct Node {
    parent: u32,
    before: u32,
    after: u32,
    first: u32,
    last: u32,
    data: Data,
}

/// Content of a node.
enum Data {
    /// The document or a comment.
    Other,
    /// An element.
    Element(Element),
    /// Text.
    Text(StrTendril),
}

/// An element.
pub(super) struct Element {
    namespace: Namespace,
    name: LocalName,
    attributes: Vec<Attribute>,
}

impl Element {
    /// Name in lower case.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The value of a kept attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|attribute| &*attribute.name.local == name);
        found.map(|attribute| &*attribute.value)
    }
}

/// Name of an element for the parser.
#[derive(Debug)]
pub(super) struct Name(Namespace, LocalName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0
    }

    fn local_name(&self) -> &LocalName {
        &self.1
    }
}

/// A tree under construction.
pub(super) struct Tree {
    nodes: RefCell<Vec<Node>>,
}

impl Tree {
    /// A tree with only the document node.
    pub(super) fn new() -> Self {
        let tree = Self { nodes: RefCell::default() };
        tree.add(Data::Other);
        tree
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    fn add(&self, data: Data) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        let (parent, before, after, first, last) = (NONE, NONE, NONE, NONE, NONE);
        nodes.push(Node { parent, before, after, first, last, data });
        nodes.len() as u32 - 1
    }

    fn detach(&self, child: u32) {
        let mut nodes = self.nodes.borrow_mut();
        let node = &mut nodes[child as usize];
        let (parent, before, after) = (node.parent, node.before, node.after);
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
        if parent == NONE {
            return;
        }
        match before {
            NONE => nodes[parent as usize].first = after,
            before => nodes[before as usize].after = after,
        }
        match after {
            NONE => nodes[parent as usize].last = before,
            after => nodes[after as usize].before = before,
        }
    }

    /// Inserts a node under a parent, before `sibling` or as the last child.
    fn put(&self, parent: u32, sibling: u32, child: u32) {
        self.detach(child);
        let mut nodes = self.nodes.borrow_mut();
        let before = match sibling {
            NONE => nodes[parent as usize].last,
            sibling => nodes[sibling as usize].before,
        };
        let node = &mut nodes[child as usize];
        (node.parent, node.before, node.after) = (parent, before, sibling);
        match before {
            NONE => nodes[parent as usize].first = child,
            before => nodes[before as usize].after = child,
        }
        match sibling {
            NONE => nodes[parent as usize].last = child,
            sibling => nodes[sibling as usize].before = child,
        }
    }

    fn put_any(&self, parent: u32, sibling: u32, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendNode(node) => self.put(parent, sibling, node),
            NodeOrText::AppendText(text) => self.put_text(parent, sibling, text),
        }
    }

    /// Inserts text; merges it with adjacent text.
    fn put_text(&self, parent: u32, sibling: u32, text: StrTendril) {
        {
            let mut nodes = self.nodes.borrow_mut();
            let before = match sibling {
                NONE => nodes[parent as usize].last,
                sibling => nodes[sibling as usize].before,
            };
            if let Some(Data::Text(there)) = nodes.get_mut(before as usize).map(|n| &mut n.data) {
                there.push_tendril(&text);
                return;
            }
        }
        let node = self.add(Data::Text(text));
        self.put(parent, sibling, node);
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes.borrow()[node as usize].parent
    }
}

impl TreeSink for Tree {
    type Handle = Handle;
    type Output = Vec<Node>;
    type ElemName<'a> = Name;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Name {
        match &self.nodes.borrow()[*target as usize].data {
            Data::Element(element) => Name(element.namespace.clone(), element.name.clone()),
            _ => Name(Namespace::default(), LocalName::default()),
        }
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        _: ElementFlags,
    ) -> Handle {
        let kept = WITH_ATTRIBUTES.contains(&&*name.local);
        let attributes = if kept { attributes } else { Vec::new() };
        self.add(Data::Element(Element { namespace: name.ns, name: name.local, attributes }))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.add(Data::Other)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.put_any(*parent, NONE, child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        match self.parent(*sibling) {
            NONE => {}
            parent => self.put_any(parent, *sibling, child),
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        match self.parent(*element) {
            NONE => self.append(previous, child),
            _ => self.append_before_sibling(element, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// Template content is never displayed, so it is kept below its template.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        *target
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first;
            if child == NONE {
                break;
            }
            self.put(*new_parent, NONE, child);
        }
    }
}

/// Callbacks of a walk in document order. Depth is the number of edges from the document.
pub(super) trait Visitor<'t> {
    /// Start of an element; returns false to skip its content.
    fn enter(&mut self, element: &'t Element, depth: u32) -> bool;
    /// Text.
    fn text(&mut self, text: &'t str, depth: u32);
    /// End of an element.
    fn leave(&mut self, element: &'t Element, depth: u32);
}

/// Walks the tree.
pub(super) fn walk<'t>(nodes: &'t [Node], visitor: &mut impl Visitor<'t>) {
    let node = |at: u32| &nodes[at as usize];
    let (mut at, mut depth) = (node(DOCUMENT).first, 1);
    while at != NONE {
        let inside = match &node(at).data {
            Data::Element(element) => visitor.enter(element, depth),
            Data::Text(text) => {
                visitor.text(text, depth);
                false
            }
            Data::Other => false,
        };
        if inside && node(at).first != NONE {
            (at, depth) = (node(at).first, depth + 1);
            continue;
        }
        // Leave elements up to the one with a next sibling.
        loop {
            if let Data::Element(element) = &node(at).data {
                visitor.leave(element, depth);
            }
            if node(at).after != NONE {
                at = node(at).after;
                break;
            }
            (at, depth) = (node(at).parent, depth - 1);
            if at == DOCUMENT {
                return;
            }
        }
    }
}
