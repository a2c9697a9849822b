//! The order of battle as a tree, and what can be asked of it.

use std::collections::BTreeMap;

use cupola_data::nearest;

use crate::clock::Moment;
use crate::node::{Arrival, Guns, Kind, Losses, Node};

/// A node of an [`Army`], by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u16);

impl NodeId {
    /// Its place in the list, for flat arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An order of battle: every army of a battle down to regiments and batteries.
///
/// It exists only if all checks were passed, so no question about it can fail half-way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Army {
    nodes: Vec<Node>,
    parents: Vec<Option<NodeId>>,
    children: Vec<Vec<NodeId>>,
    by_id: BTreeMap<String, NodeId>,
}

impl Army {
    /// Builds the tree from checked nodes.
    pub(crate) fn grow(nodes: Vec<Node>) -> Army {
        let ids = (0..nodes.len()).map(|index| NodeId(index as u16));
        let by_id: BTreeMap<String, NodeId> =
            ids.map(|id| (nodes[id.index()].id.clone(), id)).collect();
        let parents: Vec<Option<NodeId>> = nodes
            .iter()
            .map(|node| by_id.get(&node.of).copied())
            .collect();
        let mut children = vec![Vec::new(); nodes.len()];
        for (index, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent.index()].push(NodeId(index as u16));
            }
        }
        Army {
            nodes,
            parents,
            children,
            by_id,
        }
    }

    /// All nodes in the order of the files.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All nodes' places in the list.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u16).map(NodeId)
    }

    /// What a node says.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node with this id.
    pub fn get(&self, id: &str) -> Option<NodeId> {
        self.by_id.get(id).copied()
    }

    /// The ids of all nodes, sorted: the candidates when a name is not known.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(String::as_str)
    }

    /// The armies, in the order of the files.
    pub fn armies(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ids().filter(|id| self.parents[id.index()].is_none())
    }

    /// The node that a node belongs to.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents[id.index()]
    }

    /// The nodes directly under a node.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.children[id.index()]
    }

    /// A node and everything that it belongs to, upwards.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |id| self.parent(*id))
    }

    /// A node and everything under it, parents before children.
    pub fn descendants(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = vec![id];
        for child in self.children(id) {
            found.extend(self.descendants(*child));
        }
        found
    }

    /// The regiments and batteries of a node, itself included.
    pub fn troops(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = self.descendants(id);
        found.retain(|id| self.node(*id).kind.is_troops());
        found
    }

    /// True if the first node is the second or belongs to it.
    pub fn is_within(&self, id: NodeId, whole: NodeId) -> bool {
        self.ancestors(id).any(|ancestor| ancestor == whole)
    }

    /// The army that a node belongs to: its side.
    pub fn side(&self, id: NodeId) -> NodeId {
        self.ancestors(id).last().unwrap_or(id)
    }

    /// The node of a kind that a node is or belongs to.
    pub fn above(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.ancestors(id)
            .find(|ancestor| self.node(*ancestor).kind == kind)
    }

    /// When and where a node came to the field: by its own line or with what it belongs to.
    pub fn arrival(&self, id: NodeId) -> Option<&Arrival> {
        self.ancestors(id)
            .find_map(|ancestor| self.node(ancestor).arrival.as_ref())
    }

    /// True if a node was on the field by a moment.
    pub fn is_there_by(&self, id: NodeId, moment: Moment) -> bool {
        let arrived = self.arrival(id).is_some_and(|arrival| arrival.at < moment);
        arrived && self.absence(id).is_none()
    }

    /// Why a node was not on the field, if it was not.
    pub fn absence(&self, id: NodeId) -> Option<&str> {
        self.ancestors(id)
            .find_map(|ancestor| self.node(ancestor).absent.as_deref())
    }

    /// The troops that a node's sums are made of: those on the field, or all of a body that was
    /// not there itself.
    fn counted(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        let away = self.absence(id).is_some();
        let troops = self.troops(id).into_iter();
        troops
            .filter(move |troop| away || self.absence(*troop).is_none())
            .map(|troop| self.node(troop))
    }

    /// Men of a node.
    pub fn men(&self, id: NodeId) -> u32 {
        self.counted(id)
            .map(|node| u32::from(node.men.unwrap_or(0)))
            .sum()
    }

    /// Guns of a node.
    pub fn guns(&self, id: NodeId) -> Guns {
        self.counted(id)
            .fold(Guns::default(), |sum, node| sum.plus(node.guns))
    }

    /// Losses of a node in the battle.
    pub fn losses(&self, id: NodeId) -> Losses {
        self.counted(id)
            .fold(Losses::default(), |sum, node| sum.plus(node.losses))
    }

    /// Finds a node by its id, its name or its commander's, in full or in part.
    ///
    /// An exact hit wins; otherwise exactly one node must contain the text. If there is none or
    /// more than one, the ids that may have been meant come back, nearest first.
    pub fn find(&self, text: &str) -> Result<NodeId, Vec<&str>> {
        if let Some(id) = self.get(text) {
            return Ok(id);
        }
        let wanted = text.to_lowercase();
        let exact = |id: &NodeId| {
            let node = self.node(*id);
            node.name.to_lowercase() == wanted
        };
        let near = |id: &NodeId| self.mentions(*id, &wanted);
        for found in [
            self.ids().filter(exact).collect::<Vec<_>>(),
            self.ids().filter(near).collect(),
        ] {
            match found.as_slice() {
                [] => {}
                [only] => return Ok(*only),
                several => {
                    let several = several.iter().take(12);
                    return Err(several.map(|id| self.node(*id).id.as_str()).collect());
                }
            }
        }
        let by_id = nearest(text, self.names());
        let by_name = nearest(text, self.nodes.iter().map(|node| node.name.as_str()));
        let named = by_name.and_then(|name| self.nodes.iter().find(|node| node.name == name));
        Err(by_id
            .into_iter()
            .chain(named.map(|node| node.id.as_str()))
            .collect())
    }

    /// True if a node's id, name or commander contains a text given in lower case.
    pub fn mentions(&self, id: NodeId, lower: &str) -> bool {
        let node = self.node(id);
        [&node.id, &node.name, &node.commander]
            .iter()
            .any(|text| text.to_lowercase().contains(lower))
    }
}
