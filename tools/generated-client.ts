// A client of the API that a generator of others writes from the OpenAPI document alone.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What such a call answers: the body of a success, or the problem. */
export interface Told {
  readonly data?: { readonly data: never } | undefined;
  readonly error?: { readonly code: string } | undefined;
  readonly response: Response;
}

/** What is given to such a call. */
export interface Given {
  readonly body?: object;
  readonly query?: object;
  readonly path?: object;
}

/** The generated calls, by their names in the document. */
export type GeneratedClient = Readonly<Record<string, (given?: Given) => Promise<Told>>>;

/**
 * Writes the client of a document, has it ask at `url` with the session that `token` gives, where the document says that a
 * call takes one, and gives its calls.
 */
export async function generateClient(document: object, url: string, token: () => string | undefined): Promise<GeneratedClient> {
  // The generator is written for a compiler in JavaScript, which the one that we check types with is none of.
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
