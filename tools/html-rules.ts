// Checks a page's HTML with `html-validate`: all of its recommended rules, except those about the style of tags, which the
// renderer decides.

import { HtmlValidate } from 'html-validate';

/** Maximum length of a title, with the desk's name: search engines cut off the rest. */
export const LONGEST_TITLE = 65;

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    'long-title': ['error', { maxlength: LONGEST_TITLE }],
    // An order's page reloads itself only if no script follows it.
    'meta-refresh': 'off',
    'valid-id': ['error', { relaxed: true }],
    'doctype-style': 'off',
    'void-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
  },
});

/** Returns the faults of a page's HTML, each as text with its place. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector ?? ''}`),
  );
}
