//! New inputs out of old ones.
use super::corpus::Corpus;
use crate::random::Random;

/// Mutations do not grow an input beyond this.
const LONGEST: usize = 1 << 12;

/// Numbers near which things go wrong.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "64",
    "255",
    "1e308",
    "-0",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
];

/// Returns an input of the corpus, changed in one to four places. `words` are texts that mean something to the target.
pub(super) fn mutate(corpus: &Corpus, words: &[&str], random: &mut Random) -> Vec<u8> {
    let inputs = corpus.inputs();
    let mut input = match inputs {
        [] => Vec::new(),
        _ => random.pick(inputs).clone(),
    };
    for _ in 0..=random.below(4) {
        change(&mut input, inputs, words, random);
    }
    input.truncate(LONGEST);
    input
}

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(input.len() + 1);
    match random.below(10) {
        0 => insert(input, at, &[random.below(256) as u8]),
        1 if at < input.len() => input[at] ^= 1 << random.below(8),
        2 if at < input.len() => input[at] = b' ' + random.below(95) as u8,
        3 => drop(input.drain(range(input.len(), random))),
        4 => {
            let part = input[range(input.len(), random)].to_vec();
            insert(input, at, &part);
        }
        5 => {
            let part = input[range(input.len().min(64), random)].to_vec();
            let times = 1 + random.below(64);
            insert(input, at, &part.repeat(times));
        }
        6 if !inputs.is_empty() => {
            let other = random.pick(inputs);
            let part = &other[range(other.len(), random)];
            insert(input, at, part);
        }
        7 => replace_number(input, at, random),
        _ if !words.is_empty() => insert(input, at, random.pick(words).as_bytes()),
        _ => insert(input, at, &[random.below(256) as u8]),
    }
}

fn insert(input: &mut Vec<u8>, at: usize, part: &[u8]) {
    input.splice(at..at, part.iter().copied().take(LONGEST));
}

fn range(length: usize, random: &mut Random) -> std::ops::Range<usize> {
    let (one, other) = (random.below(length + 1), random.below(length + 1));
    one.min(other)..one.max(other)
}

/// The first number after `at` becomes another one.
fn replace_number(input: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(from) = input[at..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let from = at + from;
    let digits = input[from..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let number = *random.pick(&NUMBERS);
    input.splice(from..from + digits, number.bytes());
}

#[cfg(test)]
mod tests {
    use super::super::corpus::Shown;
    use super::*;

    fn mutations(seed: u64) -> Vec<Vec<u8>> {
        let mut corpus = Corpus::default();
        for (feature, input) in ["$.a[12].b", "$..x"].into_iter().enumerate() {
            let took = std::time::Duration::ZERO;
            let feature = feature as u64;
            corpus.add(input.as_bytes().to_vec(), Shown { feature, took });
        }
        let mut random = Random::new(seed);
        (0..2_000)
            .map(|_| mutate(&corpus, &["[*]"], &mut random))
            .collect()
    }

    #[test]
    fn mutations_repeat_with_their_seed() {
        assert_eq!(mutations(3), mutations(3));
        assert_ne!(mutations(3), mutations(4));
    }

    #[test]
    fn mutations_differ_stay_short_and_use_the_words() {
        let all = mutations(5);
        let distinct: std::collections::HashSet<&Vec<u8>> = all.iter().collect();
        assert!(distinct.len() > 1_500, "{} differ", distinct.len());
        assert!(all.iter().all(|input| input.len() <= LONGEST));
        assert!(
            all.iter()
                .any(|input| input.windows(3).any(|three| three == b"[*]"))
        );
    }
}
