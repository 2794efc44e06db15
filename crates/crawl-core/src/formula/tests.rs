use super::*;
use proptest::prelude::*;
use std::borrow::Cow;

fn words() -> Vec<Word> {
    let word = |name| Word { name: Cow::Borrowed(name), help: Cow::Borrowed("A number.") };
    ["x", "depth", "backlinks"].map(word).to_vec()
}

/// Values of the variables in the tests.
const VALUES: [f64; 3] = [3.0, 2.0, 7.0];

fn value(text: &str) -> f64 {
    let formula = Formula::read(text, &words()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    formula.value(|at| VALUES[at])
}

fn fault(text: &str) -> (usize, String) {
    let fault = Formula::read(text, &words()).expect_err(text);
    assert_eq!(fault.text, text);
    (fault.at, fault.message)
}

#[test]
fn what_is_typed_is_what_is_computed() {
    for (text, expected) in [
        ("1", 1.0),
        (" .5 ", 0.5),
        ("1.5e3", 1500.0),
        ("2e-1", 0.2),
        ("x", 3.0),
        ("backlinks / (1 + depth)", 7.0 / 3.0),
        ("1 + 2 * 3 - 4 / 2", 5.0),
        ("8 - 3 - 2", 3.0),
        ("64 / 4 / 2", 8.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ -1", 0.5),
        ("--x", 3.0),
        ("2 * -x", -6.0),
        ("- x * 2 + 1", -5.0),
        ("x < 4", 1.0),
        ("x <= 3", 1.0),
        ("x > 3", 0.0),
        ("x >= 4", 0.0),
        ("x = 3", 1.0),
        ("x == 3", 1.0),
        ("x != 3", 0.0),
        ("1 + 1 < 3 * 2", 1.0),
        ("(0 < x) * (x < 5)", 1.0),
        ("min(x, 2)", 2.0),
        ("max(1, x, 2, backlinks)", 7.0),
        ("if(x > 2, 10, 20) + 1", 11.0),
        ("if(x > 5, 10, 20)", 20.0),
        ("if(0/0, 10, 20)", 20.0),
        ("abs(-x)", 3.0),
        ("sqrt(x * x)", 3.0),
        ("pow(2, 10)", 1024.0),
        ("exp(0)", 1.0),
        ("log(exp(1))", 1.0),
        ("log2(8)", 3.0),
        ("log10(1000)", 3.0),
        ("x × 2 ÷ 3 − 1", 1.0),
        ("(x ≤ 3) + (x ≥ 4) + (x ≠ 4)", 2.0),
        ("((((x))))", 3.0),
        ("x\n+\t1", 4.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases: &[(&str, usize, &str)] = &[
        ("", 0, "unexpected end: expected a number, a name or an opening bracket"),
        ("   ", 3, "unexpected end"),
        ("1 +", 3, "unexpected end"),
        ("1 + * 2", 4, "expected a number, a name or an opening bracket"),
        ("1 2", 2, "expected an operator, such as + or *, or the end"),
        ("x y", 2, "expected an operator"),
        ("é + 1", 0, "unknown name 'é'"),
        ("1 + backlink", 4, "unknown name 'backlink'; did you mean 'backlinks'?"),
        ("1 + BACKLINKS", 4, "did you mean 'backlinks'?"),
        ("lgo(x)", 0, "unknown name 'lgo'; did you mean 'log'?"),
        ("log x", 3, "log needs brackets: log(…)"),
        ("depth(x)", 5, "depth is not a function"),
        ("(1 + x", 0, "this bracket is not closed"),
        ("2 * log(x + 1", 7, "this bracket is not closed"),
        ("1 + x)", 5, "unmatched closing bracket"),
        ("(1 + x y)", 7, "or a closing bracket"),
        ("log()", 4, "expected a number"),
        ("log(1, 2)", 7, "too many arguments: log takes 1"),
        ("min(x)", 5, "too few arguments: expected 2, found 1"),
        ("if(x, 1)", 7, "too few arguments: expected 3, found 2"),
        ("if(x, 1, 2, 3)", 12, "too many arguments: if takes 3"),
        ("0 < x < 5", 6, "comparisons cannot be chained"),
        ("1.2.3", 0, "not a valid number"),
        ("1e999", 0, "not a valid number"),
        (".", 0, "not a valid number"),
        ("2e", 1, "expected an operator"),
        ("x $ 2", 2, "expected an operator"),
        ("$", 0, "expected a number"),
        ("x = = 1", 4, "expected a number"),
        ("é\u{301} ^ ☃", 0, "unknown name 'é\u{301}'"),
    ];
    for (text, at, part) in cases {
        let (found, message) = fault(text);
        assert!(found == *at && message.contains(part), "{text}: {found} {message}");
    }
}

#[test]
fn what_is_too_long_or_too_deep_is_refused_in_words() {
    let nested = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(value(&nested(MAX_DEPTH)), 3.0);
    assert_eq!(fault(&nested(MAX_DEPTH + 1)).1, "more than 32 nested brackets");
    for deep in [nested(10_000), nested(900), "-".repeat(1500) + "x", "x^".repeat(900) + "x"] {
        let (_, message) = fault(&deep);
        assert!(message.contains("nested brackets") || message.contains("longer"));
    }
    assert_eq!(fault(&"1+".repeat(5000)).0, MAX_CHARS);
    assert_eq!(value(&format!("1{}", "+1".repeat(127))), 128.0);
    assert!(fault(&format!("1{}", "+1".repeat(128))).1.contains("more than 256 parts"));
    // Each bracket leaves two numbers on the stack.
    let pending = |n: usize| format!("{}1{}", "if(1, 1, ".repeat(n), ")".repeat(n));
    assert_eq!(value(&pending(19)), 1.0);
    assert!(fault(&pending(20)).1.contains("nested too deeply"));
}

#[test]
fn no_number_comes_last_and_infinity_is_bounded() {
    let score = |text| Formula::read(text, &words()).expect(text).score(|at| VALUES[at]);
    for (text, expected) in [
        ("0 / 0", -LIMIT),
        ("log(-1)", -LIMIT),
        ("sqrt(-x)", -LIMIT),
        ("min(0/0, 1)", -LIMIT),
        ("max(1, 0/0)", -LIMIT),
        ("1 / 0", LIMIT),
        ("-1 / 0", -LIMIT),
        ("log(0)", -LIMIT),
        ("10 ^ 305", LIMIT),
        ("10 ^ 299", 1e299),
        ("if(x > 2, 1, 0/0)", 1.0),
        ("0/0 = 0/0", 0.0),
    ] {
        let formula = Formula::read(text, &words()).expect(text);
        let why = formula.explain(|at| Explanation::given("v", VALUES[at]));
        assert_eq!(score(text), expected, "{text}");
        assert_eq!((why.value, why.fault()), (expected, None), "{text}");
        let is_bounded = why.op == Op::Bounded;
        assert_eq!(is_bounded, expected.abs() == LIMIT, "{text}");
    }
}

#[test]
fn a_tree_is_called_by_its_own_text() {
    let formula = Formula::read("2*min(x, 1 ,depth) - (x + 1 + depth) - 4", &words()).unwrap();
    let why = formula.explain(|at| Explanation::given("v", VALUES[at]));
    let labels = |node: &Explanation| -> Vec<String> {
        node.children.iter().map(|child| child.label.clone()).collect()
    };
    assert_eq!(why.label, "2*min(x, 1 ,depth) - (x + 1 + depth) - 4");
    assert_eq!((why.op, why.value), (Op::Difference, -8.0));
    assert_eq!(labels(&why), ["2*min(x, 1 ,depth)", "x + 1 + depth", "4"]);
    assert_eq!(labels(&why.children[0]), ["2", "min(x, 1 ,depth)"]);
    assert_eq!(labels(&why.children[0].children[1]), ["x", "1", "depth"]);
    assert_eq!(labels(&why.children[1]), ["x", "1", "depth"]);
}

#[test]
fn a_variable_that_is_a_sum_stays_one_part() {
    let formula = Formula::read("backlinks + 1", &words()).unwrap();
    let seven = (0..7).map(|_| Explanation::given("link", 1.0)).collect();
    let why = formula.explain(|_| Explanation::sum("links", Vec::clone(&seven)));
    assert_eq!(why.children.len(), 2);
    assert_eq!(why.value, 8.0);
}

#[test]
fn a_long_sum_has_readable_parts() {
    let formula = Formula::read(&format!("1{}", "+x".repeat(100)), &words()).unwrap();
    let why = formula.explain(|at| Explanation::given("v", VALUES[at]));
    fn widest(node: &Explanation) -> usize {
        node.children.iter().map(widest).max().unwrap_or(0).max(node.children.len())
    }
    assert_eq!((why.value, why.fault(), widest(&why)), (301.0, None, MAX_PARTS));
}

/// A formula as a tree, printed as text and evaluated recursively.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    Name(usize),
    Apply(Function, Vec<Tree>),
}

impl Tree {
    fn value(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Name(at) => VALUES[*at],
            Self::Apply(function, parts) => {
                let v: Vec<f64> = parts.iter().map(Self::value).collect();
                let holds = |holds: bool| if holds { 1.0 } else { 0.0 };
                match function {
                    Function::Negative => 0.0 - v[0],
                    Function::Add => v[0] + v[1],
                    Function::Subtract => v[0] - v[1],
                    Function::Multiply => v[0] * v[1],
                    Function::Divide => v[0] / v[1],
                    Function::Power => libm::pow(v[0], v[1]),
                    Function::Less => holds(v[0] < v[1]),
                    Function::AtMost => holds(v[0] <= v[1]),
                    Function::Greater => holds(v[0] > v[1]),
                    Function::AtLeast => holds(v[0] >= v[1]),
                    Function::Equal => holds(v[0] == v[1]),
                    Function::Unequal => holds(v[0] != v[1]),
                    Function::Min | Function::Max if v.iter().any(|x| x.is_nan()) => f64::NAN,
                    Function::Min => {
                        v.into_iter().reduce(|a, b| if b < a { b } else { a }).unwrap()
                    }
                    Function::Max => {
                        v.into_iter().reduce(|a, b| if b > a { b } else { a }).unwrap()
                    }
                    Function::If if v[0].is_nan() || v[0] == 0.0 => v[2],
                    Function::If => v[1],
                    Function::Abs => v[0].abs(),
                    Function::Sqrt => libm::sqrt(v[0]),
                    Function::Exp => libm::exp(v[0]),
                    Function::Log => libm::log(v[0]),
                    Function::Log2 => libm::log2(v[0]),
                    Function::Log10 => libm::log10(v[0]),
                }
            }
        }
    }

    /// With the necessary parentheses and, if `more`, some redundant ones.
    fn text(&self, more: bool) -> String {
        let (function, parts) = match self {
            Self::Number(number) => return number.to_string(),
            Self::Name(at) => return words()[*at].name.to_string(),
            Self::Apply(function, parts) => (function, parts),
        };
        let sign = function::OPERATORS.iter().find(|(_, f, _)| f == function);
        match (function, sign) {
            (Function::Negative, _) => format!("-{}", parts[0].within(5, more)),
            (_, Some((sign, _, strength))) => {
                let right_first = *strength == function::POWER;
                let compares = *strength == function::COMPARES;
                let left = parts[0].within(strength + u8::from(right_first || compares), more);
                let right = parts[1].within(strength + u8::from(!right_first), more);
                let blank = if more { "" } else { " " };
                format!("{left}{blank}{sign}{blank}{right}")
            }
            (_, None) => {
                let parts: Vec<String> = parts.iter().map(|part| part.text(more)).collect();
                format!("{}({})", function.symbol(), parts.join(if more { " , " } else { "," }))
            }
        }
    }

    fn within(&self, least: u8, more: bool) -> String {
        let strength = match self {
            Self::Apply(Function::Negative, _) => 4,
            Self::Apply(function, _) => function::OPERATORS
                .iter()
                .find(|(_, f, _)| f == function)
                .map_or(9, |(_, _, strength)| *strength),
            _ => 9,
        };
        let text = self.text(more);
        if strength < least || more { format!("({text})") } else { text }
    }
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let number = prop_oneof![Just(0.0), Just(1.0), 0.0..9.0_f64].prop_map(Tree::Number);
    let leaf = prop_oneof![number, (0..VALUES.len()).prop_map(Tree::Name)];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let signs: Vec<Function> = function::OPERATORS.iter().map(|o| o.1).collect();
        let names: Vec<Function> = function::NAMED.iter().map(|n| n.1).collect();
        let all = [signs, names, vec![Function::Negative]].concat();
        let parts = proptest::collection::vec(inner, 3);
        (proptest::sample::select(all), parts).prop_map(|(function, mut parts)| {
            let is_fold = matches!(function, Function::Min | Function::Max);
            parts.truncate(if is_fold { 3 } else { function.takes() });
            Tree::Apply(function, parts)
        })
    })
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #[test]
    fn steps_come_to_what_a_tree_does(tree in any_tree(), more in any::<bool>()) {
        let text = tree.text(more);
        let Ok(formula) = Formula::read(&text, &words()) else {
            // Only formulas that are too large may be refused.
            prop_assert!(text.len() > 60, "{}", text);
            return Ok(());
        };
        let (fast, slow) = (formula.value(|at| VALUES[at]), tree.value());
        prop_assert!(same(fast, slow), "{}: {} {}", text, fast, slow);
        let why = formula.explain(|at| Explanation::given("v", VALUES[at]));
        prop_assert_eq!(why.fault(), None, "{}", text);
        prop_assert!(same(why.value, bounded(slow)), "{}: {} {}", text, why.value, slow);
    }

    #[test]
    fn nothing_typed_makes_it_panic(text in ".{0,60}") {
        let _ = Formula::read(&text, &words());
    }

    #[test]
    fn nothing_like_a_formula_makes_it_panic(text in "[-+*/^()<>=!,.0-9a-z_ é×]{0,40}") {
        match Formula::read(&text, &words()) {
            Ok(formula) => {
                prop_assert!(formula.score(|at| VALUES[at]).is_finite());
            }
            Err(fault) => prop_assert!(fault.at <= text.chars().count()),
        }
    }
}
