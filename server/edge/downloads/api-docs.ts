import { frameAncestors } from '@kurs/contract';
import { openapi, openapiOfDesk } from '@kurs/contract/openapi';
import { createHash } from 'node:crypto';
import { PAYMENT_WEBHOOKS } from '../../payments/index.ts';
import { API_PREFIX, type Config, type Server } from '../../platform/index.ts';
import { compressed, readyFile, sendFile } from '../files/ready-file.ts';

type Json = { readonly [key: string]: unknown };

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e7e5df,#2b3533);--text:light-dark(#101616,#fafaf7);--soft:light-dark(#656b66,#acada6);--brand:light-dark(#036666,#54bcbc);--bg:light-dark(#fafaf7,#101616);--card:light-dark(#fff,#171e1d)}
body{margin:0 auto;max-width:1000px;padding:32px 24px 88px;background:var(--bg);color:var(--text);font:15px/22px system-ui,sans-serif}
h1{font:600 34px/40px Georgia,serif}h2{font:600 24px/30px Georgia,serif;margin:48px 0 12px}a{color:var(--brand)}
nav ul{columns:3 220px;padding:0;list-style:none}details{background:var(--card);border:1px solid var(--line);border-radius:14px;margin:12px 0;padding:14px 20px}
summary{cursor:pointer}code{font:13px/20px ui-monospace,monospace}summary code{color:var(--brand);font-weight:700}p,dd{color:var(--soft)}
table{border-collapse:collapse;width:100%;margin:8px 0 16px}th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line)}th{font-weight:600;font-size:13px;color:var(--soft)}
`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: unknown): string => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character] as string);

/** Returns text as HTML; parts between backticks become code. */
const marked = (text: unknown): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/**
 * Serves the OpenAPI document of the site's calls at `/api/v1/openapi.json`, and a page that shows it at `/api/docs`. Pages of
 * other sites may load both.
 */
export function mountDocs(
  { app }: Pick<Server, 'app'>,
  config: Pick<Config, 'KURS_NAME' | 'KURS_API_URL' | 'KURS_MODE' | 'KURS_CLIENTS'>,
): void {
  const { KURS_NAME: name, KURS_API_URL: url, KURS_CLIENTS: clients } = config;
  const isSandbox = config.KURS_MODE === 'sandbox';
  const shared = { 'access-control-allow-origin': '*' };
  serveDocument(app, openapi({ name, url, clients, isSandbox, webhooks: PAYMENT_WEBHOOKS }), shared);
}

/** Serves the OpenAPI document of the desk's calls, and its page, at the same paths of the operator's console. */
export function mountDeskDocs(
  { app }: Pick<Server, 'app'>,
  { KURS_NAME: name, CONSOLE_URL: url, KURS_MODE }: Pick<Config, 'KURS_NAME' | 'CONSOLE_URL' | 'KURS_MODE'>,
): void {
  serveDocument(app, openapiOfDesk({ name, url, clients: [], isSandbox: KURS_MODE === 'sandbox' }), {});
}

function serveDocument(app: Server['app'], document: Json, headers: Readonly<Record<string, string>>): void {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const shared = { 'cache-control': 'no-cache', ...headers };
  const files = {
    [`${API_PREFIX}/openapi.json`]: readyFile(compressed(Buffer.from(JSON.stringify(document))), {
      'content-type': 'application/json; charset=utf-8',
      ...shared,
    }),
    '/api/docs': readyFile(compressed(Buffer.from(reference(document))), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; ${frameAncestors()}`,
      ...shared,
    }),
  };
  for (const [path, file] of Object.entries(files)) app.get(path, (request, reply) => sendFile(request, reply, file));
}

function reference(document: Json): string {
  const { info, paths, components } = document as {
    info: { title: string; description: string };
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Record<string, Json> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => (operation['tags'] as string[])[0] as string))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => (operation['tags'] as string[])[0] === tag);
    return `<h2 id="${escape(tag)}">${escape(tag)}</h2>${own.map(operationBlock).join('')}`;
  });
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${schemaTable(schema)}</details>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(info.title)} API</title><style>${STYLE}</style></head><body><h1>${escape(info.title)} API</h1><p>${escape(info.description)}</p><p><a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1)</p><nav aria-label="Calls"><ul>${tags.map((tag) => `<li><a href="#${escape(tag)}">${escape(tag)}</a></li>`).join('')}<li><a href="#Shapes">Shapes</a></li></ul></nav>${sections.join('')}<h2 id="Shapes">Shapes</h2>${shapes.join('')}</body></html>`;
}

function operationBlock({ path, method, operation }: { path: string; method: string; operation: Json }): string {
  type Parameter = { name: string; in: string; required: boolean; schema: Json; description?: string };
  const parameters = (operation['parameters'] ?? []) as Parameter[];
  const rows = parameters.map(({ name, in: place, required, schema, description }) =>
    row(name, description === undefined ? schema : { ...schema, description }, required, place),
  );
  const body = bodySchema(operation['requestBody'] as Json | undefined);
  const responses = operation['responses'] as Record<string, Json>;
  const answer = bodySchema(responses['200']);
  const problems = Object.entries(responses).filter(([status]) => status !== '200');
  return `<details id="${escape(operation['operationId'])}"><summary><code>${method} ${escape(path)}</code> ${escape(operation['summary'])}</summary>
${operation['description'] === undefined ? '' : `<p>${marked(operation['description'])}</p>`}
${rows.length > 0 ? `<h3>Parameters</h3><table>${rows.join('')}</table>` : ''}
${body ? `<h3>Body</h3>${schemaTable(body)}` : ''}
${answer ? `<h3>Answer</h3>${schemaTable(answer)}` : ''}
<h3>Problems</h3><table>${problems.map(([status, problem]) => `<tr><td><code>${status}</code></td><td>${marked(problem['description'])}</td></tr>`).join('')}</table></details>`;
}

function bodySchema(holder: Json | undefined): Json | undefined {
  const content = holder?.['content'] as Record<string, { schema: Json }> | undefined;
  return (content?.['application/json'] ?? Object.values(content ?? {})[0])?.schema;
}

function schemaTable(schema: Json): string {
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (!properties)
    return `<p>${typeWords(schema)}${schema['description'] === undefined ? '' : ` ${marked(schema['description'])}`}</p>`;
  const required = new Set((schema['required'] ?? []) as string[]);
  return `<table>${Object.entries(properties)
    .map(([name, property]) => row(name, property, required.has(name)))
    .join('')}</table>`;
}

function row(name: string, schema: Json, required: boolean, place = ''): string {
  const words = schema['description'] === undefined ? '' : ` ${marked(schema['description'])}`;
  return `<tr><td><code>${escape(name)}</code></td><td>${typeWords(schema)}${words}</td><td>${escape([place, required ? 'required' : ''].filter(Boolean).join(', '))}</td></tr>`;
}

/** Returns the type of a schema in one line. */
function typeWords(schema: Json): string {
  const reference = schema['$ref'] as string | undefined;
  if (reference) {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  }
  const either = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (either) return either.map(typeWords).join(' or ');
  if (schema['enum']) return (schema['enum'] as unknown[]).map((value) => `<code>${escape(value)}</code>`).join(' · ');
  if (schema['const'] !== undefined) return `<code>${escape(schema['const'])}</code>`;
  if (schema['type'] === 'array') return `list of ${typeWords((schema['items'] ?? {}) as Json)}`;
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (properties)
    return `{ ${Object.entries(properties)
      .map(([name, property]) => `<code>${escape(name)}</code>: ${typeWords(property)}`)
      .join(', ')} }`;
  return escape(schema['format'] ?? schema['type'] ?? 'any');
}
