//! Label placement without overlaps, the most important labels first.
//!
//! Tries the positions above, below, right and left of the node; labels that fit nowhere are
//! dropped.

use crate::Rect;

/// A label to place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelRequest {
    /// The caller's index.
    pub index: usize,
    /// x of the labelled node's centre.
    pub x: f64,
    /// y of the labelled node's centre.
    pub y: f64,
    /// Radius of the labelled node.
    pub radius: f64,
    /// Width of the text.
    pub width: f64,
}

/// A placed label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedLabel {
    /// The caller's index.
    pub index: usize,
    /// Its rectangle.
    pub rect: Rect,
}

/// Constraints of label placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementOptions {
    /// Labels stay within this rectangle.
    pub area: Rect,
    /// Line height.
    pub height: f64,
    /// Free space around each label.
    pub gap: f64,
    /// Maximum number of labels.
    pub max_labels: usize,
}

/// Places labels greedily, in order.
pub fn place(
    options: &PlacementOptions,
    wanted: impl IntoIterator<Item = LabelRequest>,
) -> Vec<PlacedLabel> {
    let PlacementOptions { area, height, gap, max_labels } = *options;
    let mut placed: Vec<PlacedLabel> = Vec::new();
    for LabelRequest { index, x, y, radius, width } in wanted {
        if placed.len() >= max_labels {
            break;
        }
        if !area.contains(x, y) {
            continue;
        }
        let away = radius + 2.0;
        let (middle_x, middle_y) = (x - width / 2.0, y - height / 2.0);
        let places = [
            (middle_x, y - away - height),
            (middle_x, y + away),
            (x + away + 1.0, middle_y),
            (x - away - 1.0 - width, middle_y),
        ];
        let free = places.iter().map(|&(x, y)| Rect::new(x, y, width, height)).find(|rect| {
            let wide = Rect::new(rect.x - gap, rect.y - gap, width + 2.0 * gap, height + 2.0 * gap);
            area.holds(rect) && !placed.iter().any(|other| other.rect.overlaps(&wide))
        });
        if let Some(rect) = free {
            placed.push(PlacedLabel { index, rect });
        }
    }
    placed
}

/// Estimated width of a text: 0.56 · font size per character, for when it cannot be measured.
pub fn estimated_width(text: &str, font_px: f64) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 0.56 } else { 0.9 }).sum::<f64>() * font_px
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: PlacementOptions = PlacementOptions {
        area: Rect::new(0.0, 0.0, 100.0, 60.0),
        height: 10.0,
        gap: 2.0,
        max_labels: 9,
    };

    fn wanted(index: usize, x: f64, y: f64) -> LabelRequest {
        LabelRequest { index, x, y, radius: 3.0, width: 30.0 }
    }

    #[test]
    fn names_stand_above_unless_there_is_no_room() {
        let labels = place(&OPTIONS, [wanted(0, 50.0, 30.0), wanted(1, 50.0, 8.0)]);
        assert_eq!(labels[0].rect, Rect::new(35.0, 15.0, 30.0, 10.0));
        assert_eq!(
            (labels[1].rect.x, labels[1].rect.y),
            (56.0, 3.0),
            "beside, not across the edge"
        );
        let large = |index| LabelRequest { radius: 8.0, ..wanted(index, 50.0, 30.0) };
        let labels = place(&OPTIONS, (0..9).map(large));
        assert_eq!(labels.len(), 4, "above, below, right and left");
        assert!(place(&OPTIONS, [wanted(0, 101.0, 30.0)]).is_empty());
        assert_eq!(
            place(
                &PlacementOptions { max_labels: 1, ..OPTIONS },
                (0..9).map(|i| wanted(i, 50.0, 30.0))
            )
            .len(),
            1
        );
    }

    #[test]
    fn wider_texts_are_estimated_wider() {
        assert_eq!(estimated_width("", 10.0), 0.0);
        assert!(estimated_width("abc", 10.0) < estimated_width("abcd", 10.0));
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn no_name_covers_another_or_leaves_the_area(
                points in proptest::collection::vec((-10.0f64..110.0, -10.0f64..70.0, 1.0f64..50.0), 0..40)
            ) {
                let wanted: Vec<LabelRequest> = points.iter().enumerate()
                    .map(|(index, &(x, y, width))| LabelRequest { index, x, y, radius: 2.0, width })
                    .collect();
                let labels = place(&OPTIONS, wanted.iter().copied());
                for (i, label) in labels.iter().enumerate() {
                    prop_assert!(OPTIONS.area.holds(&label.rect));
                    prop_assert_eq!(label.rect.width, wanted[label.index].width);
                    for other in &labels[i + 1..] {
                        prop_assert!(other.index > label.index);
                        prop_assert!(!label.rect.overlaps(&other.rect));
                    }
                }
                if let Some(first) = wanted.iter().position(|w| {
                    let LabelRequest { x, y, width, .. } = *w;
                    OPTIONS.area.contains(x, y) && OPTIONS.area.holds(&Rect::new(x - width / 2.0, y - 14.0, width, 10.0))
                }) {
                    prop_assert!(!labels.is_empty() && labels[0].index <= first);
                }
            }
        }
    }
}
