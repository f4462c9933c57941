use super::Signature;
use super::kinds::Kinds;
use proptest::prelude::*;

fn kinds(letters: &str) -> Vec<Kinds> {
    let kind = |letter| Kinds::from_letter(letter).unwrap_or(Kinds::UNDEFINED);
    letters.chars().map(kind).collect()
}

/// Returns the number of arguments of each parameter, or the index of the invalid argument.
fn divided(signature: &str, arguments: &str) -> Result<Vec<usize>, usize> {
    let signature = Signature::parse(signature).unwrap();
    let taken = signature.divide(&kinds(arguments))?;
    Ok(taken.iter().map(|taken| taken.count).collect())
}

#[test]
fn each_parameter_takes_an_argument_of_its_type() {
    assert_eq!(divided("<sn?:s>", "sn"), Ok(vec![1, 1]));
    assert_eq!(divided("<sn?:s>", "s"), Ok(vec![1, 0]));
    assert_eq!(divided("<sn?:s>", "ss"), Err(1));
    assert_eq!(divided("<sn?:s>", "snn"), Err(2));
    assert_eq!(divided("<sn?:s>", ""), Err(0));
    assert_eq!(divided("<s>", "m"), Ok(vec![1]), "undefined is accepted");
    assert_eq!(divided("<f>", "m"), Err(0), "but not for a function");
    assert_eq!(
        divided("<a>", "n"),
        Ok(vec![1]),
        "a lone value makes an array"
    );
    assert_eq!(divided("<j>", "f"), Err(0));
    assert_eq!(divided("<x>", "f"), Ok(vec![1]));
    assert_eq!(divided("<(ns)>", "b"), Err(0));
    assert_eq!(
        divided("<(a)>", "s"),
        Err(0),
        "in a choice an array must be one"
    );
    assert_eq!(divided("", "s"), Err(0));
}

#[test]
fn the_context_stands_for_an_argument_that_others_need() {
    assert_eq!(divided("<s-nn?:s>", "nn"), Ok(vec![0, 1, 1]));
    assert_eq!(divided("<s-nn?:s>", "n"), Ok(vec![0, 1, 0]));
    assert_eq!(divided("<s-s:s>", "s"), Ok(vec![0, 1]));
    assert_eq!(divided("<s-s:s>", "n"), Err(0));
    assert_eq!(divided("<s-s:s>", "sn"), Err(1));
}

#[test]
fn repetitions_take_as_many_as_leave_enough_to_others() {
    assert_eq!(divided("<s+>", "sss"), Ok(vec![3]));
    assert_eq!(divided("<s+s>", "sss"), Ok(vec![2, 1]));
    assert_eq!(divided("<s+?s>", "ss"), Ok(vec![1, 1]));
    assert_eq!(divided("<s+?s+>", "ssss"), Ok(vec![1, 3]));
    assert_eq!(divided("<s??s?>", "s"), Ok(vec![0, 1]));
    assert_eq!(divided("<s+n>", "s"), Err(1));
    assert_eq!(divided("<a+>", ""), Err(0));
}

#[test]
fn a_signature_that_means_nothing_is_refused_where_it_is_wrong() {
    let refused = |text: &str| Signature::parse(text).map_err(|error| (error.code, error.position));
    assert_eq!(refused("<s<n>>"), Err(("S0401", 2)));
    assert_eq!(refused("<n(a<s>)>"), Err(("S0402", 2)));
    assert_eq!(refused("<s?+>"), Err(("S0403", 3)));
    assert!(refused(&format!("<{}>", "s".repeat(255))).is_ok());
    assert!(refused(&format!("<{}>", "s".repeat(256))).is_err());
    assert!(refused("<?q s>").is_ok(), "unknown letters mean nothing");
    assert!(refused("").is_ok());
}

#[test]
fn many_arguments_and_parameters_are_divided_in_no_time() {
    let signature = Signature::parse(&format!("<{}n>", "s+".repeat(200))).unwrap();
    assert!(signature.divide(&[Kinds::STRING; 2_000]).is_err());
}

#[test]
fn items_of_arrays_are_kept_as_written() {
    let signature = Signature::parse("<a<n>f<s:o>:n>").unwrap();
    let items = |at: usize| signature.parameters[at].array.clone();
    assert_eq!(items(0), Some(Some("n".into())));
    assert_eq!(items(1), None);
    assert_eq!(signature.parameters(), 2);
}

/// Returns the pattern that a signature stands for in the reference.
fn pattern(signature: &str) -> String {
    let parameter = |letter| match letter {
        'f' => "(f".to_owned(),
        'a' | 'x' => "([asnblfom]".to_owned(),
        'j' => "([asnblom]".to_owned(),
        letter => format!("([{letter}m]"),
    };
    let mut pattern = String::from("^");
    let mut open = false;
    for letter in signature.chars() {
        match letter {
            '-' | '?' => pattern.push('?'),
            '+' => pattern.push('+'),
            letter => {
                pattern.push_str(if open { ")" } else { "" });
                pattern.push_str(&parameter(letter));
                open = true;
            }
        }
    }
    pattern.push_str(if open { ")$" } else { "$" });
    pattern
}

proptest! {
    #[test]
    fn arguments_are_divided_as_the_pattern_matches_them(signature in "([snbofajxl][-?+]?\\??){0,5}", arguments in "[snbofalm]{0,6}") {
        let Ok(parsed) = Signature::parse(&format!("<{signature}>")) else {
            return Ok(());
        };
        let found = parsed.divide(&kinds(&arguments)).map(|taken| {
            taken.iter().map(|taken| taken.count).collect::<Vec<_>>()
        });
        let regex = regex_automata::meta::Regex::new(&pattern(&signature)).unwrap();
        let mut captures = regex.create_captures();
        regex.captures(&arguments, &mut captures);
        let expected = captures.is_match().then(|| {
            let groups = 1..captures.group_len();
            groups.map(|group| captures.get_group(group).map_or(0, |span| span.len())).collect::<Vec<_>>()
        });
        prop_assert_eq!(found.ok(), expected);
    }

    #[test]
    fn any_text_is_a_signature_or_refused(text in "[<>()snbofajx?+:é-]*") {
        let _ = Signature::parse(&text);
    }
}
