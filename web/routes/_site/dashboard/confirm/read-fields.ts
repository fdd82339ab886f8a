/**
 * Returns the values of the inputs named `to.…`, which describe a receiving account, by field name. Empty fields are left out.
 */
export function readFields(element: HTMLElement): Readonly<Record<string, string>> {
  const inputs = [...element.querySelectorAll('input')].map(
    ({ name, value }) => [name.slice('to.'.length), value.trim()] as const,
  );
  return Object.fromEntries(inputs.filter(([, value]) => value !== ''));
}
