import assert from 'node:assert/strict';
import type { System } from './system.ts';

/**
 * Presses a button for support staff on a counterpart's page. The page must have the button for exactly this item. `action` is
 * the path of the button's form (`capture/reverse`), and `id` the form's value.
 */
export async function press({ url }: System, provider: string, action: string, id: string): Promise<void> {
  const page = `${url}/sandbox/${provider}/`;
  const shown = await fetch(page);
  const body = await shown.text();
  const forms = [...body.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)];
  const form = forms.find(([, leads = '', fields = '']) => leads === action && fields.includes(`name="id" value="${id}"`));
  assert.ok(form, `${page} has no button ${action} for ${id}: ${body}`);
  const done = await fetch(`${page}${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ id }),
    redirect: 'manual',
  });
  assert.equal(done.status, 303);
}
