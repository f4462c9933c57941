// Starts `asl lsp`, and shows its graphs.
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;
/** Panels by `URI#machine`, with what they draw. */
const graphs = new Map();

async function start() {
  const command = vscode.workspace.getConfiguration('asl').get('path') || 'asl';
  client = new LanguageClient(
    'asl',
    'Amazon States Language',
    { command, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [
        { language: 'asl' },
        { language: 'asl-yaml' },
        { pattern: '**/*.asl.{json,yaml,yml}' },
        { language: 'yaml', pattern: '**/*.{yaml,yml}' },
        { language: 'cloudformation' },
        { language: 'json', pattern: '**/*template*.json' },
      ],
      middleware: {
        // The lens of a state machine draws it beside the text.
        executeCommand: (name, args, next) =>
          name === 'asl.graph' ? showGraph(args[0]) : next(name, args),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`asl lsp does not start: ${error.message}. Is "${command}" installed? See the setting asl.path.`);
  }
}

async function draw(panel, place) {
  const request = { command: 'asl.graph', arguments: [place] };
  const graph = await client.sendRequest('workspace/executeCommand', request);
  panel.title = graph.name ? `Graph of ${graph.name}` : 'Graph';
  panel.webview.html = `<!DOCTYPE html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<body style="background: var(--vscode-editor-background); text-align: center">${graph.svg}</body>`;
}

async function showGraph(place) {
  const key = `${place.uri}#${place.position.line}`;
  let graph = graphs.get(key);
  if (!graph) {
    const panel = vscode.window.createWebviewPanel('asl.graph', 'Graph', vscode.ViewColumn.Beside, {});
    graph = { panel, place };
    graphs.set(key, graph);
    panel.onDidDispose(() => graphs.delete(key));
  }
  try {
    await draw(graph.panel, place);
  } catch (error) {
    vscode.window.showErrorMessage(`No graph: ${error.message}`);
  }
}

async function showGraphAtCursor() {
  const editor = vscode.window.activeTextEditor;
  if (editor) {
    const { line, character } = editor.selection.active;
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    await showGraph({ uri, textDocument: { uri }, position: { line, character } });
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('asl.showGraph', showGraphAtCursor),
    vscode.commands.registerCommand('asl.restart', async () => {
      await client?.stop().catch(() => {});
      await start();
    }),
    vscode.workspace.onDidSaveTextDocument((document) => {
      const uri = client.code2ProtocolConverter.asUri(document.uri);
      for (const { panel, place } of graphs.values()) {
        if (place.uri === uri) draw(panel, place).catch(() => {});
      }
    }),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
