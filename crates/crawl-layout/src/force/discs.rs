//! Discs of hosts: non-overlapping areas for their pages.

use crawl_world::order;

/// Maximum number of rounds that push discs apart.
pub(crate) const MAX_ROUNDS: u32 = 400;
/// Radius per square root of the number of pages, and added margin.
const RADIUS: f32 = 1.0;
const MARGIN: f32 = 1.2;
/// Factor that moves hosts closer before overlaps are removed.
const CONTRACTION: f32 = 0.72;
/// The inner fraction of the radius, and the fraction of pages within it.
const INNER_RADIUS: f32 = 0.8;
const INNER_PAGES: f32 = 0.9;
/// Maximum factor by which pages are spread to fill a disc.
const MAX_STRETCH: f32 = 4.0;

/// A disc for each group of nodes.
pub(crate) struct Discs {
    /// Centres of the discs.
    pub(crate) centres: Vec<[f32; 2]>,
    radii: Vec<f32>,
    /// The nodes of all groups, sorted by group.
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Discs {
    /// Discs at `centres`, sized for their groups.
    pub(crate) fn new(mut centres: Vec<[f32; 2]>, groups: &[u32]) -> Self {
        centres.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * CONTRACTION, *y * CONTRACTION));
        let mut starts = vec![0_u32; centres.len() + 1];
        groups.iter().for_each(|group| starts[*group as usize + 1] += 1);
        let radius = |n: &u32| RADIUS * (*n as f32).sqrt() + MARGIN;
        let radii = starts[1..].iter().map(radius).collect();
        (0..centres.len()).for_each(|group| starts[group + 1] += starts[group]);
        let mut next = starts.clone();
        let mut members = vec![0; groups.len()];
        for (node, group) in groups.iter().enumerate() {
            let at = &mut next[*group as usize];
            members[*at as usize] = node as u32;
            *at += 1;
        }
        Self { centres, radii, members, starts }
    }

    /// Pushes overlapping discs apart, small ones farther; returns whether none overlapped.
    ///
    /// A sweep along the x axis: only discs whose x intervals overlap are compared.
    pub(crate) fn push_apart(&mut self) -> bool {
        let Self { centres, radii, .. } = self;
        let left = |disc: usize| order::rising((centres[disc][0] - radii[disc]).into());
        let order = order::by_key(centres.len(), left);
        let area = |disc: usize| radii[disc] * radii[disc];
        let mut apart = true;
        for (at, first) in order.iter().enumerate() {
            let first = *first as usize;
            // Pushing disturbs the sort order a little, hence the factor.
            let right = centres[first][0] + radii[first] * 1.2;
            for second in &order[at + 1..] {
                let second = *second as usize;
                let ([ax, ay], [bx, by]) = (centres[first], centres[second]);
                if bx - radii[second] > right {
                    break;
                }
                let wanted = radii[first] + radii[second];
                let (dx, dy) = (bx - ax, by - ay);
                let squared = dx * dx + dy * dy;
                if squared >= wanted * wanted * 0.998 {
                    continue;
                }
                apart = false;
                let distance = squared.sqrt();
                let [ux, uy] =
                    if distance > 1e-6 { [dx / distance, dy / distance] } else { [0.8, 0.6] };
                let share = area(first) / (area(first) + area(second));
                let gap = (wanted - distance) * 0.8;
                centres[first] = [ax - ux * gap * (1.0 - share), ay - uy * gap * (1.0 - share)];
                centres[second] = [bx + ux * gap * share, by + uy * gap * share];
            }
        }
        apart
    }

    /// Rotates the discs so that the principal axis is horizontal.
    pub(crate) fn rotate_to_landscape(&mut self) {
        let masses = || self.radii.iter().map(|radius| radius * radius);
        let all: f32 = masses().sum();
        let mean = |of: &dyn Fn([f32; 2]) -> f32| {
            self.centres.iter().zip(masses()).map(|(c, mass)| of(*c) * mass).sum::<f32>() / all
        };
        let [mx, my] = [mean(&|[x, _]| x), mean(&|[_, y]| y)];
        let xx = mean(&|[x, _]| (x - mx) * (x - mx));
        let yy = mean(&|[_, y]| (y - my) * (y - my));
        let xy = mean(&|[x, y]| (x - mx) * (y - my));
        let (sin, cos) = libm::sincosf(libm::atan2f(2.0 * xy, xx - yy) / 2.0);
        for [x, y] in &mut self.centres {
            let (dx, dy) = (*x - mx, *y - my);
            (*x, *y) = (dx * cos + dy * sin, dy * cos - dx * sin);
        }
    }

    /// Scales the nodes of each group around their mean so that they fill its disc.
    pub(crate) fn filled(&self, mut nodes: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
        for (group, ends) in self.starts.windows(2).enumerate() {
            let members = &self.members[ends[0] as usize..ends[1] as usize];
            let [cx, cy] = self.centres[group];
            if members.len() < 2 {
                members.iter().for_each(|member| nodes[*member as usize] = [cx, cy]);
                continue;
            }
            let n = members.len() as f32;
            let sum = |axis: usize| members.iter().map(|m| nodes[*m as usize][axis]).sum::<f32>();
            let middle = [sum(0) / n, sum(1) / n];
            let away = |member: &u32| {
                let [x, y] = nodes[*member as usize];
                let (dx, dy) = (x - middle[0], y - middle[1]);
                (dx * dx + dy * dy).sqrt()
            };
            let mut distances: Vec<f32> = members.iter().map(away).collect();
            let place = ((n * INNER_PAGES) as usize).min(members.len() - 1);
            let usual = order::nth(&mut distances, place);
            let room = self.radii[group] - MARGIN / 2.0;
            let stretch = (room * INNER_RADIUS / usual.max(1e-6)).min(MAX_STRETCH);
            for member in members {
                let [x, y] = nodes[*member as usize];
                let (dx, dy) = ((x - middle[0]) * stretch, (y - middle[1]) * stretch);
                let distance = (dx * dx + dy * dy).sqrt();
                let squeeze = compressed(distance / room) * room / distance.max(1e-6);
                nodes[*member as usize] = [cx + dx * squeeze, cy + dy * squeeze];
            }
        }
        nodes
    }
}

/// Maps a distance to below 1: unchanged up to [`INNER_RADIUS`], compressed beyond.
fn compressed(distance: f32) -> f32 {
    let beyond = distance - INNER_RADIUS;
    if beyond <= 0.0 {
        return distance;
    }
    let rest = 1.0 - INNER_RADIUS;
    INNER_RADIUS + rest * beyond / (beyond + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_do_not_overlap_and_contain_their_nodes() {
        let groups: Vec<u32> =
            (0..60).flat_map(|group| vec![group; 1 + group as usize % 17]).collect();
        let mut centres: Vec<[f32; 2]> =
            (0..60).map(|i| [(i % 8) as f32, (i / 8) as f32]).collect();
        centres[1] = centres[0];
        let mut discs = Discs::new(centres, &groups);
        let rounds = (0..MAX_ROUNDS).take_while(|_| !discs.push_apart()).count();
        assert!(rounds < MAX_ROUNDS as usize);
        let distance = |a: [f32; 2], b: [f32; 2]| {
            ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
        };
        for a in 0..60 {
            for b in 0..a {
                let wanted = discs.radii[a] + discs.radii[b];
                let found = distance(discs.centres[a], discs.centres[b]);
                assert!(found > wanted * 0.99, "{a} and {b}");
            }
        }
        let nodes = (0..groups.len()).map(|i| [(i % 13) as f32, (i % 7) as f32 * 9.0]).collect();
        for (node, group) in discs.filled(nodes).into_iter().zip(groups) {
            let group = group as usize;
            assert!(distance(node, discs.centres[group]) < discs.radii[group]);
        }
    }
}
