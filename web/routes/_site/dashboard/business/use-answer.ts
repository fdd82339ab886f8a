import { useActionData } from 'react-router';
import type { FormAnswer } from './answered.ts';

/** Returns the last result of one of the page's forms; undefined if another form was sent last. */
export function useAnswer(of: string): FormAnswer | undefined {
  const given = useActionData<FormAnswer | null>();
  return given?.of === of ? given : undefined;
}
