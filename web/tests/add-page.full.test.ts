// Adds a page to a copy of the site as `docs/how-to.md` says: a line of the list and a folder.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { CreateSite } from '../site.ts';
import { stubClient } from '../testing/stub.ts';

const ROOT = join(import.meta.dirname, '../..');
const LINE = "  hello: { path: 'hello', folder: 'hello', sitemap: { changed: '2026-11-28' } },\n";
const PAGE = `import { useLoaderData } from 'react-router';
import { Main } from '../layout.tsx';

export default function HelloPage() {
  const { greeting } = useLoaderData<{ greeting: string }>();
  return <Main><h1>{greeting} from the added page</h1></Main>;
}
`;
const SERVER = `import type { Visit } from '../../../server/routing/visit.ts';

export const load = async ({ locale }: Visit) => ({ head: { title: 'Hello', description: 'Says hello' }, greeting: 'Hello in ' + locale });
export const submit = async (_visit: Visit, form: URLSearchParams) => ({ answered: form.get('name') });
`;

test('a page added in one place is rendered, loaded, listed and bundled, and its loader stays on the server', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'kurs-page-'));
  t.after(() => rm(copy, { recursive: true }));
  const isSource = (path: string): boolean => !/\/web\/(dist|\.build|paraglide|node_modules)$/.test(path);
  await cp(join(ROOT, 'web'), join(copy, 'web'), { recursive: true, filter: isSource });
  for (const name of ['contract', 'money', 'node_modules', 'package-lock.json', 'tsconfig.json'])
    await symlink(join(ROOT, name), join(copy, name));
  const list = join(copy, 'web/routes/pages.ts');
  const pages = await readFile(list, 'utf8');
  await writeFile(list, pages.replace('} as const satisfies', `${LINE}} as const satisfies`));
  const folder = join(copy, 'web/routes/_site/hello');
  await mkdir(folder);
  await writeFile(join(folder, 'page.tsx'), PAGE);
  await writeFile(join(folder, 'page.server.ts'), SERVER);
  await promisify(execFile)(process.execPath, ['web/build.ts'], { cwd: copy });

  const { createSite } = (await import(join(copy, 'web/dist/server/site.js'))) as { createSite: CreateSite };
  const client = stubClient(() => new Date());
  const site = createSite({
    config: { name: 'Kurs', url: 'http://kurs.test', mode: 'sandbox', clientId: 'web' },
    client: () => client,
    onError: (error) => {
      throw error;
    },
  });
  const ask = (url: string, method = 'GET') =>
    site.handle({ method, url, headers: {}, cookies: {}, ...(method === 'POST' && { body: 'name=Anna' }) });
  for (const [prefix, locale] of [
    ['En', 'en'],
    ['Ru', 'ru'],
  ] as const) {
    const page = await ask(`/${prefix}/hello`);
    assert.equal(page.status, 200);
    assert.match(page.body, new RegExp(`<h1>Hello in ${locale}(<!-- -->)? from the added page</h1>`));
    assert.equal(page.isCacheable, true);
    const names = await readdir(join(copy, 'web/dist/client/assets', locale));
    const scripts = names.filter((name) => name.endsWith('.js'));
    const code = await Promise.all(scripts.map((name) => readFile(join(copy, 'web/dist/client/assets', locale, name), 'utf8')));
    assert.ok(code.some((text) => text.includes('from the added page')));
    assert.ok(code.every((text) => !text.includes('Says hello')));
  }
  assert.equal((await ask('/hello')).status, 302);
  assert.match((await ask('/Ru/hello.data')).body, /Hello in ru/);
  assert.match((await ask('/En/hello.data', 'POST')).body, /"answered":"Anna"/);
  assert.match((await ask('/sitemap.xml')).body, /<loc>http:\/\/kurs\.test\/En\/hello<\/loc><lastmod>2026-11-28/);
});
