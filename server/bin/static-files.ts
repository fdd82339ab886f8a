import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesEncoding } from '../platform/index.ts';

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

interface StaticFile extends Bodies {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}

/** Answers a request for a built file; false when there is no such file. */
export type ServeStatic = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Takes the folder of the built site into memory (a few megabytes) with the compressed twins (`.br`, `.gz`) beside
 * each file. Files under `/assets/` have hashed names and never change; the rest is asked again each time.
 */
export async function openStatic(folder: string): Promise<ServeStatic> {
  const files = new Map<string, StaticFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const url = `/${relative(folder, path)}`;
    const body = await readFile(path);
    const gzip = await readFile(`${path}.gz`).catch(() => undefined);
    files.set(url, {
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`,
      cacheControl: url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      body,
      br: await readFile(`${path}.br`).catch(() => undefined),
      gzip: gzip && (() => gzip),
    });
  }
  return (request, reply) => {
    const file = files.get(request.url.split('?')[0] ?? '');
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    reply.headers({
      'content-type': file.type,
      'cache-control': file.cacheControl,
      'x-content-type-options': 'nosniff',
      etag: file.etag,
      vary: 'accept-encoding',
    });
    if (request.headers['if-none-match'] === file.etag) reply.code(304).send();
    else sendCompressed(request, reply, file);
    return true;
  };
}

/** What is sent, and the same compressed where that is worth it. */
export interface Bodies {
  readonly body: Buffer;
  readonly br?: Buffer | undefined;
  readonly gzip?: (() => Buffer) | undefined;
}

/** The smallest encoding that a caller takes, by his `accept-encoding`, with its bytes; no encoding: as it is. */
export function smallestFor(accepted = '', file: Bodies): { encoding?: 'br' | 'gzip'; bytes: Buffer } {
  if (file.br && takesEncoding(accepted, 'br')) return { encoding: 'br', bytes: file.br };
  if (file.gzip && takesEncoding(accepted, 'gzip')) return { encoding: 'gzip', bytes: file.gzip() };
  return { bytes: file.body };
}

/** Sends the smallest encoding that the caller takes. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, file: Bodies): void {
  const { encoding, bytes } = smallestFor(request.headers['accept-encoding'], file);
  if (encoding) reply.header('content-encoding', encoding);
  reply.send(bytes);
}
