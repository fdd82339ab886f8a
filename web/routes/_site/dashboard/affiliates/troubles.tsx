import type { ReactNode } from 'react';
import { Form, useActionData, useNavigation } from 'react-router';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeTime } from '../../../../ui/base/time.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { errorWords } from '../delivery-error.ts';
import type { AffiliatesAnswer, Campaign } from './page.server.ts';
import css from './affiliates.module.css';

type PostbackCampaign = Campaign & { readonly postback_state: NonNullable<Campaign['postback_state']> };

const isTroubled = (campaign: Campaign): campaign is PostbackCampaign =>
  campaign.postback_state !== undefined && (campaign.postback_state.state !== 'on' || campaign.postback_state.missed > 0);

/**
 * Lists campaigns whose postbacks failed, were switched off or were missed. Each has its reason, and a button that switches its
 * postbacks on again.
 */
export function Troubles({ campaigns }: { campaigns: readonly Campaign[] }): ReactNode {
  const given = useActionData<AffiliatesAnswer | null>();
  const answer = given?.of === 'postback' ? given : undefined;
  const troubled = campaigns.filter(isTroubled);
  if (troubled.length === 0 && !answer) return null;
  return (
    <div className={css['troubles']}>
      {answer && (
        <Message
          tone={answer.message === undefined ? 'success' : 'error'}
          isLive
          title={answer.message ?? m.affiliates_switched_on({ campaign: answer.name })}
        />
      )}
      {troubled.map((campaign) => (
        <Trouble key={campaign.name} campaign={campaign} />
      ))}
    </div>
  );
}

function Trouble({ campaign: { name, postback_state: reported } }: { campaign: PostbackCampaign }): ReactNode {
  const { locale } = useSite();
  const busy = useNavigation().state === 'submitting';
  const { state, reason, missed } = reported;
  const since = reported.since === undefined ? '' : writeTime(reported.since, locale);
  const { status, said } = reported;
  const answer = status !== undefined ? `HTTP ${status}` : said !== undefined ? errorWords(said) : undefined;
  const title = {
    on: m.affiliates_missed_of({ campaign: name }),
    failing: m.affiliates_failing({ campaign: name }),
    off: m.affiliates_off({ campaign: name }),
  }[state];
  const why = {
    on: '',
    failing: m.affiliates_failing_since({ since }),
    off: reason === 'gone' ? m.affiliates_off_gone({ since }) : m.affiliates_off_failing({ since }),
  }[state];
  return (
    <Message tone={state === 'on' ? 'info' : 'warning'} title={title}>
      {why !== '' && <p>{why}</p>}
      {answer !== undefined && <p className={css['answer']}>{m.affiliates_answer({ answer })}</p>}
      {missed > 0 && <p>{m.affiliates_missed({ count: missed })}</p>}
      {state !== 'failing' && (
        <Form method="post" className={css['switch']} preventScrollReset>
          <input type="hidden" name="intent" value="postback" />
          <input type="hidden" name="name" value={name} />
          {state === 'off' && (
            <Button type="submit" look="secondary" busy={busy && m.affiliates_switch_on()}>
              {m.affiliates_switch_on()}
            </Button>
          )}
          {missed > 0 && (
            <Button type="submit" look="secondary" name="missed" value="1" busy={busy && m.affiliates_send_missed()}>
              {state === 'off' ? m.affiliates_switch_on_missed() : m.affiliates_send_missed()}
            </Button>
          )}
        </Form>
      )}
    </Message>
  );
}
