import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import type { SettlementsData } from './page.server.ts';
import css from './settlements.module.css';

/** Card that says whether the balance moves to the wallet daily. The owner switches it here. */
export function DailyCard({ data: { store, balance } }: { data: SettlementsData }): ReactNode {
  const answer = useAnswer('daily');
  const isBusy = useNavigation().formData?.get('intent') === 'daily';
  const { daily: isOn } = balance;
  const pill = <Pill tone={isOn ? 'success' : 'neutral'}>{isOn ? m.settlements_daily_on() : m.settlements_daily_off()}</Pill>;
  return (
    <Card id="daily" title={m.settlements_daily()} pill={pill}>
      <Form method="post" className={css['daily']} preventScrollReset>
        <input type="hidden" name="on" value={isOn ? 'no' : 'yes'} />
        {answer?.message !== undefined && <Message tone="error" isLive title={answer.message} />}
        <p className="soft">{m.settlements_daily_lead({ zone: store.timezone.replaceAll('_', ' ') })}</p>
        {store.permissions.includes('settlement.move') && (
          <div>
            <Button type="submit" name="intent" value="daily" look="secondary" busy={isBusy && m.account_saving()}>
              {isOn ? m.settlements_daily_stop() : m.settlements_daily_start()}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  );
}
