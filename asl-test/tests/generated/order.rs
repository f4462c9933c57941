// One test for each case of the test files.

#[test]
fn order_a_card_that_is_busy_at_first() -> Result<(), Box<dyn std::error::Error>> {
    asl_test::run_case("tests/order.test.yaml", "a card that is busy at first")
}
