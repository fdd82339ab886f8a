import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from 'react-router';

type Answer =
  | { readonly redirect: string }
  | { readonly failure: { readonly status: number } | null }
  | { readonly data: unknown };

/** A page's data: its address with `.data` behind the path answers what its loader gives. */
export async function loadData({ request }: LoaderFunctionArgs): Promise<unknown> {
  const response = await fetch(dataUrl(request.url), { signal: request.signal });
  return read(response);
}

/** Sends a form to the page's action on the web server, which alone holds the calculation's secret. */
export async function submitForm({ request }: ActionFunctionArgs): Promise<unknown> {
  const response = await fetch(dataUrl(request.url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: await request.text(),
    signal: request.signal,
  });
  return read(response);
}

function dataUrl(address: string): string {
  const url = new URL(address);
  return `${url.pathname}.data${url.search}`;
}

async function read(response: Response): Promise<unknown> {
  const answer = (await response.json().catch(() => ({ failure: { status: response.status } }))) as Answer;
  if ('redirect' in answer) throw redirect(answer.redirect);
  if ('failure' in answer) throw data(answer.failure, { status: answer.failure?.status ?? 500 });
  return response.ok ? answer.data : data(answer.data, { status: response.status });
}

/** Leaves the router: the browser loads the page as a document. Never comes back. */
export function documentNavigation({ request }: LoaderFunctionArgs): Promise<never> {
  if (request.url === location.href) location.reload();
  else location.assign(request.url);
  return new Promise(() => undefined);
}
