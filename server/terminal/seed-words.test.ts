// A seed's words at the terminal: accepted input, messages, and when they count as written down.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSeed, nearWords } from '../platform/index.ts';
import type { Questions } from './ask.ts';
import { areWrittenDown, askSeed } from './seed-words.ts';

const SEED =
  'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside';
const WORDS = SEED.split(' ');
const NUMBERED = WORDS.map((word, at) => `${at + 1}. ${word}`);

/** Returns standard input with these lines; `said` collects the output. */
function typing(lines: readonly string[]): Questions & { readonly said: string[] } {
  const left = [...lines];
  const said: string[] = [];
  return {
    said,
    ask: async (words) => {
      said.push(words);
      return left.shift()?.trim();
    },
    say: (words) => void said.push(words),
    rest: async () => left.splice(0),
    close: () => {},
  };
}

test('takes the words in whatever form they are typed', async () => {
  const columns = Array.from({ length: 12 }, (_, row) => `${NUMBERED[row]}   ${NUMBERED[row + 12]}`);
  const wide = [...SEED].map((one) => (one === ' ' ? '\u3000' : String.fromCodePoint(one.charCodeAt(0) + 0xfee0))).join('');
  const shown = Array.from({ length: 6 }, (_, row) =>
    WORDS.slice(row * 4, row * 4 + 4)
      .map((word, at) => `${String(row * 4 + at + 1).padStart(4)} ${word.padEnd(10)}`)
      .join(''),
  );
  const forms: Readonly<Record<string, readonly string[]>> = {
    'one line': [SEED],
    'one word a line': WORDS,
    'extra spaces, tabs and empty lines': [
      '',
      `  ${WORDS.slice(0, 9).join(' \t  ')} `,
      '',
      ` ${WORDS.slice(9).join('   ')}  `,
      '',
    ],
    capitals: [SEED.toUpperCase()],
    'first letters as capitals': WORDS.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())),
    'a numbered list': NUMBERED,
    'a numbered list in one line': [NUMBERED.join(' ')],
    'numbers without spaces': [WORDS.map((word, at) => `${at + 1})${word}`).join(' ')],
    'numbers with zeros': WORDS.map((word, at) => `${String(at + 1).padStart(2, '0')}: ${word}`),
    'two numbered columns': columns,
    'as init shows them': shown,
    commas: [WORDS.join(', ')],
    bullets: WORDS.map((word) => `- ${word}`),
    quotes: [`"${SEED}."`],
    'wide letters of another keyboard': [wide],
    'marks that nobody sees': [`\ufeff${WORDS.join('\u200b ')}`],
  };
  for (const [form, lines] of Object.entries(forms)) assert.equal(await askSeed(typing(lines)), SEED, form);
});

test('says what is wrong: the position with words near it, the count, the numbers, the checksum', async () => {
  const replaced = (at: number, word: string): string[] => WORDS.map((one, index) => (index === at - 1 ? word : one));
  const numbered = (words: readonly string[]): string[] => words.map((word, at) => `${at + 1}. ${word}`);
  const [wrong, exchanged] = [replaced(24, 'zoo'), [WORDS[1] as string, WORDS[0] as string, ...WORDS.slice(2)]];
  assert.deepEqual([isSeed(wrong), isSeed(exchanged)], [false, false]);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [replaced(5, 'abandom'), /^Word 5 is not one of the list.*Near it: abandon.*Nothing was made/],
    [numbered(replaced(5, 'abandom')).toReversed(), /^Word 5 is not/],
    [[replaced(1, 'pnada').join(' ')], /^Word 1 is not.*Near it: panda/],
    [replaced(24, 'qqqqqqqq'), /^Word 24 is not.*Nothing in the list is near it/],
    [replaced(3, 'кошка'), /^Word 3 is not/],
    [wrong, /checksum is wrong/],
    [exchanged, /checksum is wrong/],
    [WORDS.slice(0, 23), /^These were 23 words, and a seed of Kurs has 24/],
    [[WORDS.slice(0, 12).join(' ')], /^These were 12 words/],
    [[`${SEED} panda`], /^These were 25 words/],
    [[...WORDS, 'panda'], /^These were 25 words/],
    [['panda'], /^This was 1 word,/],
    [[], /^These were 0 words/],
    [NUMBERED.map((line) => line.replace(/^7\./, '8.')), /^The numbers before the words are not 1 to 24/],
    [NUMBERED.map((line, at) => (at === 6 ? (WORDS[6] as string) : line)), /^The numbers before the words/],
  ];
  for (const [lines, words] of cases) {
    const questions = typing(lines);
    await assert.rejects(
      askSeed(questions),
      (error: Error) => error.name === 'ConfigError' && words.test(error.message),
      `${words}`,
    );
    const shown = questions.said.join('\n');
    assert.equal(/abandom|pnada|qqqqqqqq|кошка|gorilla/.test(shown), false, shown);
  }
});

test('asks for each word anew that is not in the list, and for no other', async () => {
  const typed = [...WORDS];
  typed[4] = 'abandom';
  typed[19] = 'quik';
  const questions = typing([typed.join(' ')]);
  let request = 0;
  const given = ['nothing like it', 'call', ' 20. QUICK '];
  const answering: Questions = {
    ...questions,
    ask: (words) =>
      /^Word (5|20): $/.test(words) && questions.said.length > 2
        ? (request++, questions.said.push(words), Promise.resolve(given.shift()))
        : questions.ask(words),
  };
  assert.equal(await askSeed(answering), SEED);
  assert.deepEqual(
    [request, questions.said.filter((words) => /^Word \d+: $/.test(words))],
    [3, ['Word 1: ', 'Word 5: ', 'Word 5: ', 'Word 20: ']],
  );
});

test('suggests the words that a mistyped one is most like', () => {
  assert.equal(nearWords('abandom')[0], 'abandon');
  assert.equal(nearWords('gohst')[0], 'ghost');
  assert.deepEqual(nearWords('gori'), ['gorilla'], 'the first four letters');
  assert.deepEqual(nearWords('xylophonist'), []);
});

/** Returns a person who reads the shown words and answers each question. */
function reading(answer: (number: number, shown: ReadonlyMap<number, string>, times: number) => string | undefined) {
  const times = new Map<number, number>();
  const said: string[] = [];
  const questions: Questions = {
    ask: async (words) => {
      said.push(words);
      const number = Number.parseInt(/^Word (\d+): $/.exec(words)?.[1] ?? '', 10);
      times.set(number, (times.get(number) ?? 0) + 1);
      const shown = new Map(
        [...said.join('\n').matchAll(/ {2}(\d{1,2}) ([a-z]+)/g)].map(([, at, word]) => [Number(at), word as string]),
      );
      return answer(number, shown, times.get(number) as number);
    },
    say: (words) => void said.push(words),
    rest: async () => [],
    close: () => {},
  };
  return { questions, said, requested: () => [...times.values()].reduce((sum, count) => sum + count, 0) };
}

test('words count as written down once all of them were given back in their order', async () => {
  const right = reading((number, shown) => shown.get(number));
  assert.equal(await areWrittenDown(right.questions, WORDS), true);
  assert.equal(right.requested(), 24);
  const maxAtOnce = reading(() => NUMBERED.join(' '));
  assert.equal(await areWrittenDown(maxAtOnce.questions, WORDS), true);
  assert.equal(maxAtOnce.requested(), 1);
  for (const missing of [1, 12, 24]) {
    const person = reading((number, shown) => (number === missing ? 'zoo' : shown.get(number)));
    assert.equal(await areWrittenDown(person.questions, WORDS), false, `without word ${missing}`);
    const ended = reading((number, shown) => (number === missing ? undefined : shown.get(number)));
    assert.equal(await areWrittenDown(ended.questions, WORDS), false, `ended at word ${missing}`);
  }
});

test('a slip is asked for again, and after three at one word all are shown once more', async () => {
  const slip = reading((number, shown, times) => (number === 7 && times === 1 ? 'slip' : shown.get(number)));
  assert.equal(await areWrittenDown(slip.questions, WORDS), true);
  assert.equal(slip.requested(), 25);
  assert.ok(slip.said.includes('That is not word 7. Words 1 to 6 were right. Look at your paper, and type word 7 again.'));
  const misread = reading((number, shown, times) => (number === 24 && times <= 3 ? '' : shown.get(number)));
  assert.equal(await areWrittenDown(misread.questions, WORDS), true);
  assert.equal(misread.requested(), 24 + 2 + 24);
});

test('says so where the keyboard is set to letters of another language, and takes the words typed anew', async () => {
  const LATIN = 'qwertyuiopasdfghjklzxcvbnm';
  const russian = (text: string): string =>
    text.replace(/[a-z]/g, (letter) => 'йцукенгшщзфывапролдячсмить'[LATIN.indexOf(letter)] ?? '');
  const questions = typing([russian(SEED), SEED]);
  assert.equal(await askSeed({ ...questions, rest: async () => [] }), SEED);
  assert.equal(questions.said.filter((words) => /another language. Switch the keyboard/.test(words)).length, 1);
  // A word with one letter of another alphabet is asked for again by its number.
  const one = typing([SEED.replace('call', 'сall'), 'call']);
  assert.equal(await askSeed({ ...one, rest: async () => [] }), SEED);
  assert.match(one.said.join(), /Word 5 is not one of the list.*letters of another language/);
});
