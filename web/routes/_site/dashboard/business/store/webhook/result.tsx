import type { ReactNode } from 'react';
import { useActionData } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { SecretCard } from '../webhooks/secret-card.tsx';
import type { SecretAnswer } from '../webhooks/with-secret.ts';

/** Result of the last change of a webhook. The form of its settings shows its own result. */
export function Result(): ReactNode {
  const answer = useActionData<SecretAnswer | null>();
  if (!answer || answer.of === 'change') return null;
  if (answer.message !== undefined) return <Message tone="error" isLive title={answer.message} />;
  if (answer.secret !== undefined) return <SecretCard secret={answer.secret} title={m.webhooks_rotated()} />;
  const done = {
    end: m.webhooks_former_ended(),
    on: m.webhooks_switched_on(),
    test: m.webhooks_test_sent(),
    replay: m.webhooks_replayed(),
  }[answer.of];
  return <Message tone="success" isLive title={done} />;
}
