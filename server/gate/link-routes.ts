// Bindings of the contract's calls about links of stores to this room's verbs; no logic.

import type { Routes } from '@kurs/contract';
import type { Sender } from '../deliveries/index.ts';
import { type Db, type Statements, type Work, alsoAbout, answeredChange } from '../platform/index.ts';
import { payLink } from './actions/pay-link.ts';
import { changeLink, makeLink, removeLink } from './links/change-links.ts';
import type { Link } from './links/link.ts';
import { dropPicture } from './links/link-pictures.ts';
import { readLink } from './links/link-rows.ts';
import { buyersLink, linkView, linkViews } from './links/views.ts';

type Names =
  | 'storeLinks'
  | 'storeLinkMake'
  | 'storeLinkChange'
  | 'storeLinkRemove'
  | 'storeLinkPictureRemove'
  | 'paymentLink'
  | 'paymentLinkPay';

/** Returns the handlers of the calls about links, of members and keys and of buyers. */
export function linkRoutes({ db, sender }: { readonly db: Db; readonly sender: Sender }): { [N in Names]: Work<Routes[N]> } {
  return {
    storeLinks: ({ store }) => linkViews(db, store, sender.url),
    storeLinkMake: (input, context) =>
      answeredChange(
        db,
        context,
        (keep) => makeLink(db, input, keep),
        (read: Statements, link: Link) => linkView(read, link, sender.url),
      ),
    storeLinkChange: async (input) => linkView(db, await changeLink(db, input), sender.url),
    async storeLinkRemove(input) {
      await removeLink(db, input);
      return {};
    },
    storeLinkPictureRemove: async (input) => linkView(db, await dropPicture(db, input), sender.url),
    paymentLink: async ({ id }) => buyersLink(db, await readLink(db, id)),
    async paymentLinkPay(input, context) {
      const { view, number } = await payLink(db, input, context);
      alsoAbout({ invoiceId: view.id });
      return { id: view.id, number };
    },
  };
}
