// A client of the API, written by a third-party generator from the OpenAPI document alone.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Answer of such a call: the body of a success, or the problem. */
export interface Told {
  readonly data?: { readonly data: never } | undefined;
  readonly error?: { readonly code: string } | undefined;
  readonly response: Response;
}

/** Arguments of such a call. */
export interface Given {
  readonly body?: object;
  readonly query?: object;
  readonly path?: object;
}

/** The generated calls, by their names in the document. */
export type GeneratedClient = Readonly<Record<string, (given?: Given) => Promise<Told>>>;

/**
 * Writes the client of a document for calls to `url`, and returns its calls. Calls that need a session get it from `token`.
 */
export async function generateClient(document: object, url: string, token: () => string | undefined): Promise<GeneratedClient> {
  // The generator needs a TypeScript compiler in JavaScript, and ours for type checks is none.
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(name === 'typescript' && context.parentURL?.includes('/@hey-api/') ? 'typescript-js' : name, context),
  });
  const folder = await mkdtemp(join(tmpdir(), 'kurs-client-'));
  try {
    const { createClient } = await import('@hey-api/openapi-ts');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await createClient({
      input: document as never,
      output: { path: join(folder, 'client'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
    const written = (name: string): Promise<object> =>
      import(pathToFileURL(join(folder, 'client', name)).href) as Promise<object>;
    const [calls, { client }] = (await Promise.all([written('sdk.gen.ts'), written('client.gen.ts')])) as [
      GeneratedClient,
      { client: { setConfig(config: object): void } },
    ];
    client.setConfig({ baseUrl: url, auth: token });
    return calls;
  } finally {
    hooks.deregister();
    await rm(folder, { recursive: true });
  }
}
