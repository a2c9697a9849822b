//! Which entries stand for troops under a node of the army list.

use super::Shelf;
use cupola_data::Node;
use std::collections::BTreeMap;

/// The army list as it is written, and whom every counter stands for.
#[derive(Default)]
pub(super) struct Troops {
    /// The node above a node.
    above: BTreeMap<String, String>,
    /// The nodes of a counter or leader.
    nodes: BTreeMap<String, Vec<String>>,
}

impl Troops {
    pub(super) fn of(shelf: &Shelf, trees: &[Option<Node>]) -> Troops {
        let mut troops = Troops {
            above: shelf.above.clone(),
            ..Troops::default()
        };
        for (volume, tree) in shelf.volumes.iter().zip(trees) {
            let Some(root) = tree else { continue };
            let text = volume.source.text.as_str();
            let entries = |key: &str| root.get(key).map_or(&[][..], Node::entries);
            let word = |node: &Node, key: &str| -> Option<String> {
                Some(node.get(key)?.word(text)?.into_owned())
            };
            if volume.group == Some("army") {
                for entry in entries("nodes") {
                    if let (Some(id), Some(of)) = (word(&entry.node, "id"), word(&entry.node, "of"))
                    {
                        troops.above.insert(id, of);
                    }
                }
            }
            if volume.name == "counters" {
                for entry in entries("counters").iter().chain(entries("leaders")) {
                    if let Some(id) = word(&entry.node, "id") {
                        troops.nodes.insert(id, nodes(&entry.node, text));
                    }
                }
            }
        }
        troops
    }

    /// Whether an entry stands for troops under a node.
    pub(super) fn under(&self, node: &str, entry: &Node, text: &str) -> bool {
        let mut own = nodes(entry, text);
        let id = entry.get("id").or_else(|| entry.get("unit"));
        if let Some(id) = id.and_then(|id| id.value().word(text)) {
            match self.nodes.get(&*id) {
                Some(nodes) => own.extend(nodes.iter().cloned()),
                None => own.push(id.into_owned()),
            }
        }
        own.iter().any(|own| self.is_under(node, own))
    }

    fn is_under(&self, node: &str, own: &str) -> bool {
        let mut at = own;
        // No tree is deeper; a circle in a broken list comes to an end.
        for _ in 0..32 {
            if at == node {
                return true;
            }
            let Some(above) = self.above.get(at) else {
                return false;
            };
            at = above;
        }
        false
    }
}

/// The nodes that a counter or leader names itself.
pub(super) fn nodes(entry: &Node, text: &str) -> Vec<String> {
    let listed = ["nodes", "commands"]
        .into_iter()
        .filter_map(|key| entry.get(key));
    let listed = listed.flat_map(|list| list.entries());
    let whole = listed.filter_map(|entry| entry.node.word(text));
    let parts = entry.get("parts").map_or(&[][..], Node::entries).iter();
    let parts = parts.filter_map(|part| part.node.get("node")?.word(text));
    whole.chain(parts).map(|word| word.into_owned()).collect()
}
