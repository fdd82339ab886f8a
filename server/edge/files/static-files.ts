import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ReadyFile, readyFile, sendFile } from './ready-file.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Files that pages of other sites may load. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['/widget.js']);

/** Answers a request for a built file. Returns false if there is no such file. */
export type ServeStatic = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Reads the built site into memory (a few megabytes), with the compressed copies (`.br`, `.gz`) beside each file. Files under
 * `/assets/` have hashed names, so clients cache them forever; all other files are revalidated each time.
 *
 * `folder`: folder of the build. Its subfolder `client` has the files. Folders under `former` have the files of earlier builds,
 * whose pages may still be open.
 */
export async function openStatic(folder: string): Promise<ServeStatic> {
  const former = await readdir(join(folder, 'former')).catch(() => []);
  const files = new Map<string, ReadyFile>();
  // Reads the newest build last, so that its files replace files with the same name in earlier builds.
  for (const of of [...former.sort().map((name) => join('former', name)), 'client'])
    for (const [url, file] of await filesIn(join(folder, of))) files.set(url, file);
  return (request, reply) => {
    const file = files.get(request.url.split('?')[0] ?? '');
    if (!file) return false;
    if (request.method === 'GET' || request.method === 'HEAD') sendFile(request, reply, file);
    else
      reply
        .code(405)
        .headers({ allow: 'GET, HEAD', 'cache-control': 'no-store' })
        .type('text/plain')
        .send('Method not allowed.\n');
    return true;
  };
}

async function filesIn(folder: string): Promise<[url: string, file: ReadyFile][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path): Promise<[string, ReadyFile]> => {
      const url = `/${relative(folder, path)}`;
      const [body, br, gzip] = await Promise.all([readFile(path), compressed(`${path}.br`), compressed(`${path}.gz`)]);
      const head = {
        ...(FOR_OTHERS.has(url) && { 'cross-origin-resource-policy': 'cross-origin' }),
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'cache-control': url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      };
      return [url, readyFile({ body, br: br && (() => br), gzip: gzip && (() => gzip) }, head)];
    }),
  );
}

const compressed = (path: string): Promise<Buffer | undefined> => readFile(path).catch(() => undefined);
