// Tells StrykerJS to leave texts alone that only readers of logs and traces see.

const SPEAKERS = new Set(['log', 'assert', 'alarm']);

/** The name that a call begins with: of `log.warn(…)` it is `log`. */
function speakerOf(callee) {
  const node = callee.type === 'MemberExpression' ? callee.object : callee;
  return node.type === 'Identifier' ? node.name : '';
}

const isText = ({ node, parent }) =>
  (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') &&
  ((parent?.type === 'CallExpression' && SPEAKERS.has(speakerOf(parent.callee))) ||
    (parent?.type === 'NewExpression' && parent.callee.name?.endsWith('Error')));

const isLog = ({ node }) => node.type === 'CallExpression' && speakerOf(node.callee) === 'log';

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: { shouldIgnore: (path) => (isText(path) || isLog(path) ? 'a text for logs' : undefined) },
  },
];
