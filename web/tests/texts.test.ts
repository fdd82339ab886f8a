import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { POLICY_VERSION } from '../../contract/policy.ts';
import { PAGES } from '../routes/pages.ts';
import type { Site } from '../site.ts';
import { stubSite } from '../testing/serve.ts';
import { stubClient } from '../testing/stub.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONTENT = join(import.meta.dirname, '..', 'content');
const TEXTS = { terms: 'terms-of-services', aml: 'aml-kyc-policy', privacy: 'privacy-policy' } as const;
const FILES = { en: 'en-US', ru: 'ru-RU' } as const;

/** Structure of a text, parsed here independently of the site. */
interface Shape {
  readonly date: string;
  /** Number of clauses of each section; true if the section has a summary. */
  readonly sections: readonly (readonly [id: string, clauses: number, isSummed: boolean])[];
  readonly blanks: readonly string[];
  readonly targets: readonly string[];
  readonly bold: number;
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found as string).sort();

const shapeOf = (source: string): Shape => ({
  date: /\n\n(\d{4}-\d{2}-\d{2}) · /.exec(source)?.[1] ?? 'none',
  sections: source
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...blocks] = section.trim().split('\n\n');
      const clauses = blocks.filter((block) => !/^[>-] /.test(block)).length;
      return [/\{#([a-z]+)\}$/.exec(head)?.[1] ?? head, clauses, blocks.some((block) => block.startsWith('> '))] as const;
    }),
  blanks: [...new Set(all(source, /\{([a-z]+)\}/g))],
  targets: all(source, /\]\(([^)]+)\)/g),
  bold: source.split('**').length,
});

const versionsOf = async (folder: string): Promise<number[]> =>
  (await readdir(join(CONTENT, folder))).map((name) => Math.trunc(+name)).sort((one, other) => other - one);
const read = (folder: string, version: number, language: keyof typeof FILES): Promise<string> =>
  readFile(join(CONTENT, folder, String(version), `${FILES[language]}.md`), 'utf8');

describe('the long texts', () => {
  test('have the same versions, dates, sections, clauses, blanks and links in both languages', async () => {
    for (const folder of Object.values(TEXTS)) {
      for (const version of await versionsOf(folder)) {
        const [en, ru] = [shapeOf(await read(folder, version, 'en')), shapeOf(await read(folder, version, 'ru'))];
        assert.deepEqual(ru, en, `${folder} ${version}`);
        assert.match(en.date, /^\d{4}-\d{2}-\d{2}$/);
      }
    }
  });

  test('have consecutive versions with ascending dates, and a summary of each section', async () => {
    for (const folder of Object.values(TEXTS)) {
      const versions = await versionsOf(folder);
      assert.deepEqual(
        versions,
        Array.from(versions, (_, at) => versions.length - at),
        folder,
      );
      const shapes = await Promise.all(versions.map(async (version) => shapeOf(await read(folder, version, 'en'))));
      assert.deepEqual(
        shapes.map(({ date }) => date),
        shapes
          .map(({ date }) => date)
          .sort()
          .toReversed(),
        folder,
      );
      for (const [id, clauses, isSummed] of shapes[0]?.sections ?? []) assert.ok(isSummed && clauses > 0, `${folder} ${id}`);
    }
  });

  test('link to existing pages and sections', async () => {
    for (const folder of Object.values(TEXTS)) {
      for (const target of (await Promise.all((await versionsOf(folder)).map((one) => read(folder, one, 'en')))).flatMap(
        (source) => shapeOf(source).targets,
      )) {
        const [page = '', id] = target.split('#');
        assert.ok(page in PAGES, target);
        if (id === undefined) continue;
        const within = TEXTS[page as keyof typeof TEXTS];
        const newest = shapeOf(await read(within, (await versionsOf(within))[0] ?? 0, 'en'));
        assert.ok(
          newest.sections.some(([section]) => section === id),
          target,
        );
      }
    }
  });

  test('are plain: no exclamation, no straight quotes around Russian, no hyphen for a dash', async () => {
    for (const folder of Object.values(TEXTS)) {
      const newest = (await versionsOf(folder))[0] ?? 0;
      for (const language of ['en', 'ru'] as const)
        assert.doesNotMatch((await read(folder, newest, language)).replaceAll('\n- ', '\n'), /!| - |\.\.\.|"/, folder);
      assert.doesNotMatch(await read(folder, newest, 'ru'), /“|”|’/, folder);
    }
  });

  test('name the contact form, which every desk has, and allow a payout to whom the customer pays directly', async () => {
    const sectionOf = (source: string, id: string): string =>
      source.split(/^## /m).find((section) => section.split('\n')[0]?.endsWith(`{#${id}}`)) ?? '';
    const newest = async (text: keyof typeof TEXTS, language: keyof typeof FILES): Promise<string> =>
      read(TEXTS[text], (await versionsOf(TEXTS[text]))[0] ?? 0, language);
    for (const language of ['en', 'ru'] as const) {
      const [terms, aml] = await Promise.all([newest('terms', language), newest('aml', language)]);
      assert.match(sectionOf(terms, 'law'), /\]\(contact\)/);
      assert.match(sectionOf(aml, 'contact'), /\]\(contact\)/);
      assert.doesNotMatch(aml + terms, /answer the e-mail|ответьте на/i);
      const pays =
        language === 'en' ? /whom (you pay yourself|the customer pays directly)/ : /кому (вы платите сами|клиент платит сам)/;
      assert.match(sectionOf(terms, 'not'), pays);
      assert.match(sectionOf(aml, 'refused'), pays);
    }
  });

  test('name the version of the terms that receipts name', async () => {
    assert.equal(String((await versionsOf(TEXTS.terms))[0]), POLICY_VERSION);
  });
});

test('each clause in force stands in docs/policies.md, with files and settings that exist', async () => {
  const parts = (await readFile(join(ROOT, 'docs/policies.md'), 'utf8')).split(/^## /m).slice(1);
  assert.deepEqual(
    parts.map((part) => part.split('\n')[0]),
    Object.keys(TEXTS),
  );
  const settings = (
    await Promise.all(
      (await readdir(join(ROOT, 'server'), { recursive: true }))
        .filter((name) => name.endsWith('settings.ts') && !name.includes('node_modules'))
        .map((name) => readFile(join(ROOT, 'server', name), 'utf8')),
    )
  ).join('');
  for (const part of parts) {
    const folder = TEXTS[part.split('\n')[0] as keyof typeof TEXTS];
    const { sections } = shapeOf(await read(folder, (await versionsOf(folder))[0] ?? 0, 'en'));
    const rows = [...part.matchAll(/^\| ([a-z]+-\d+) \| (.*) \|$/gm)].map(([, clause, row]) => [clause, row ?? ''] as const);
    assert.deepEqual(
      rows.map(([clause]) => clause),
      sections.flatMap(([id, count]) => Array.from({ length: count }, (_, at) => `${id}-${at + 1}`)),
      folder,
    );
    for (const [clause, row] of rows) {
      const named = all(row, /`([^`]+)`/g);
      const files = named.filter((name) => name.includes('/'));
      const isTest = (file: string): boolean => /\.(test|journey)\.ts$/.test(file);
      const isTested = files.some(isTest) && !files.every(isTest);
      assert.ok(isTested || row.includes('**operator**'), `${folder} ${clause}: what carries it out, and a test of that`);
      for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${folder} ${clause}: ${file}`);
      for (const setting of named.filter((name) => /^[a-z]+\.[a-z_]+$/.test(name)))
        assert.ok(settings.includes(`'${setting}'`), `${folder} ${clause}: ${setting}`);
    }
  }
});

describe('the pages of the long texts', () => {
  const URL_ = 'http://kurs.test';
  const LEGAL = { entity: 'Kurs Exchange OÜ', address: 'Narva mnt 7, Tallinn' };
  let sandbox: Site;
  const page = async (site: Site, url: string): Promise<{ status: number; body: string }> => {
    const { status, body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
    return { status, body };
  };

  before(async () => {
    sandbox = await stubSite({ url: URL_ });
  });

  test('show the version in force, every earlier one, and none that was never there', async () => {
    const { body } = await page(sandbox, '/En/terms-of-services');
    assert.match(body, new RegExp(`Version\\s${POLICY_VERSION}\\s·`));
    assert.match(body, /href="\/En\/terms-of-services\?version=1"/);
    assert.doesNotMatch(body, /This is an earlier version/);
    const old = await page(sandbox, '/En/terms-of-services?version=1');
    assert.equal(old.status, 200);
    assert.match(old.body, /This is an earlier version/);
    assert.match(old.body, /<link rel="canonical" href="http:\/\/kurs\.test\/En\/terms-of-services">/);
    for (const version of ['0', '99', 'x', '']) {
      const { status } = await page(sandbox, `/Ru/terms-of-services?version=${version}`);
      assert.equal(status, 404, version);
    }
  });

  test('agree with step 2: a payout may go to whom the customer pays, a refund returns to the customer', async () => {
    const [id, token] = ['0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10', 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx'];
    const cookies = { [`calculation-${id}`]: token };
    const said = {
      En: ['or that of the person you pay', 'a refund comes to me'],
      Ru: ['того, кому вы платите', 'возврат получу я'],
    };
    for (const [prefix, words] of Object.entries(said)) {
      const { body } = await sandbox.handle({ method: 'GET', url: `/${prefix}/exchange?id=${id}&step=2`, headers: {}, cookies });
      const shown = body.replaceAll('\u00a0', ' ');
      for (const word of words) assert.ok(shown.includes(word), word);
      assert.doesNotMatch(shown, /details are mine|принадлежат мне/);
    }
  });

  test('have a link to every clause, and fill every placeholder', async () => {
    for (const folder of Object.values(TEXTS)) {
      const { sections } = shapeOf(await read(folder, (await versionsOf(folder))[0] ?? 0, 'en'));
      for (const prefix of ['En', 'Ru']) {
        const { body } = await page(sandbox, `/${prefix}/${folder}`);
        for (const [id, count] of sections) {
          for (const part of [id, `${id}-${count}`])
            assert.ok(body.includes(`id="${part}"`) && body.includes(`href="#${part}"`), `${prefix} ${folder} ${part}`);
        }
        assert.doesNotMatch(/<article>.*<\/article>/s.exec(body)?.[0] ?? '{', /[{}]|\*\*/, folder);
      }
    }
  });

  test('say that they are templates until an entity is named, and then only in the sandbox', async () => {
    const live = (legal?: typeof LEGAL): Promise<Site> =>
      stubSite({ url: URL_, mode: 'live', client: stubClient(() => new Date()), config: legal ? { legal } : {} });
    const asks = async (site: Site): Promise<boolean> =>
      (await page(site, '/En/privacy-policy')).body.includes('Have a lawyer read it');
    assert.equal(await asks(sandbox), true);
    assert.equal(await asks(await live()), true);
    const named = await live(LEGAL);
    assert.equal(await asks(named), false);
    assert.match((await page(named, '/En/privacy-policy')).body, /Kurs Exchange OÜ(<!-- -->)? runs this site/);
  });
});
