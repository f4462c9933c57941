// Writes cdk.out: npm install aws-cdk-lib constructs && node app.js
const { App, Stack, Duration, aws_lambda: lambda, aws_sqs: sqs, aws_stepfunctions: sfn, aws_stepfunctions_tasks: tasks } = require('aws-cdk-lib');

const app = new App({ outdir: 'cdk.out', analyticsReporting: false });
const stack = new Stack(app, 'Shop', { analyticsReporting: false });
const code = lambda.Code.fromInline('exports.handler = async event => event');
const handler = { code, handler: 'index.handler', runtime: lambda.Runtime.NODEJS_22_X };
const charge = new lambda.Function(stack, 'Charge', handler);
const look = new lambda.Function(stack, 'Look', handler);
const queue = new sqs.Queue(stack, 'Refused');

const refused = new tasks.SqsSendMessage(stack, 'Tell of it', { queue, messageBody: sfn.TaskInput.fromJsonPathAt('$') });
const charged = new tasks.LambdaInvoke(stack, 'Charge it', { lambdaFunction: charge, outputPath: '$.Payload', retryOnServiceExceptions: false });
charged.addRetry({ errors: ['Busy'], maxAttempts: 3, interval: Duration.seconds(2) });
charged.addCatch(refused, { errors: ['CardRefused'], resultPath: '$.error' });
new sfn.StateMachine(stack, 'Order', { definitionBody: sfn.DefinitionBody.fromChainable(charged), stateMachineType: sfn.StateMachineType.EXPRESS });
new sfn.StateMachine(stack, 'Stock', {
  definitionBody: sfn.DefinitionBody.fromFile('stock.asl.json'),
  definitionSubstitutions: { lookArn: look.functionArn },
});
app.synth();
