resource "aws_sfn_state_machine" "backup" {
  name     = "backup"
  role_arn = "arn:aws:iam::123456789012:role/backup"
  definition = templatefile("${path.module}/backup.asl.json.tftpl", {
    copy_function_arn = "arn:aws:lambda:eu-west-1:123456789012:function:copy"
    bucket            = "backups"
    attempts          = 4
  })
}

module "report" {
  source       = "./report"
  function_arn = aws_lambda_function.write.arn
}
