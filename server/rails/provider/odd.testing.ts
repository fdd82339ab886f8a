/** What an odd answer looks like, by what it was. */
export const ODD: Readonly<Record<string, (text: string) => string>> = {
  'no answer of its form': () => '<<<',
  nothing: () => '',
  'an empty object': () => '{}',
  'amounts below zero': (text) => text.replaceAll(DECIMAL, '-1'),
  'amounts that are none': (text) => text.replaceAll(DECIMAL, '5.5.5'),
  'amounts beyond all money': (text) => text.replaceAll(DECIMAL, '9'.repeat(60)),
  'times that are none': (text) =>
    text
      .replaceAll(/\b20\d\d-?\d\d-?\d\d(?=[T ])/g, '2026-99-99')
      .replaceAll(/\b\d\d\/\d\d\/\d\d\b/g, '99/99/99')
      .replaceAll(/(?<="processed_ts":)\d+/g, '99999999999999'),
};

/** A number with digits behind its point, that is no part of a longer word (an address, a version in a path). */
const DECIMAL = /(?<![\w./-])\d+\.\d+(?![\w.])/g;

/**
 * Runs `work` while every answer to a call that names one of these words is another: what is asked about anything else is
 * answered truly.
 */
export async function withOddAnswers<T>(
  words: readonly string[],
  change: (text: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const original = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await original(url, init);
    const asked = `${url instanceof Request ? url.url : String(url)} ${typeof init?.body === 'string' ? init.body : ''}`;
    if (!words.some((word) => asked.includes(word))) return response;
    const { status, headers } = response;
    return new Response(change(await response.text()), {
      status,
      headers: { 'content-type': headers.get('content-type') ?? '' },
    });
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = original;
  }
}
