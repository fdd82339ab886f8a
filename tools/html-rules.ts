// What `html-validate` finds in a page: all that it recommends, but for how tags are written, which is the renderer's.

import { HtmlValidate } from 'html-validate';

/** Characters that a title may have, the desk's name included: search engines cut the rest off. */
export const LONGEST_TITLE = 65;

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    'long-title': ['error', { maxlength: LONGEST_TITLE }],
    // An order's page comes anew by itself only where no script follows it.
    'meta-refresh': 'off',
    'valid-id': ['error', { relaxed: true }],
    'doctype-style': 'off',
    'void-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
  },
});

/** Faults of a page's HTML, each in words with its place; empty when it is well. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector ?? ''}`),
  );
}
