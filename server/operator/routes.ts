// Handlers of the desk's calls. Each passes the caller and the call's idempotency key to one view or action of this room.

import { Problem, type Routes } from '@kurs/contract';
import type { OwnerKind } from '../collecting/index.ts';
import type { Showing } from '../exchange/index.ts';
import { type Context, type Db, type Work, advanceClock } from '../platform/index.ts';
import { deskChat, deskChats, deskFile, deskTicket, deskTickets } from '../support/index.ts';
import { actOn } from './actions/act-on-order.ts';
import { actOnArrival, arrivalsView } from './actions/money/arrivals.ts';
import { bookCostOfDispute, writeOffOfBusiness } from './actions/business-debts.ts';
import { decideSite } from './actions/business-sites.ts';
import { allowReversible } from './actions/business-reversible.ts';
import { businessForDesk, businessesView, decideBusiness, limitBusiness } from './actions/businesses.ts';
import { consent, knowingCalls } from './people/consent.ts';
import { block, blocksView, changeLevel, keysView, unblock } from './actions/customers.ts';
import { debtsView, repay } from './actions/money/debts.ts';
import { attemptsView, deliveriesView, replayBy } from './actions/deliveries.ts';
import { actOnDeposit, depositsView } from './actions/money/deposits.ts';
import { bookUnexplained, clearUnexplained, close, fund, setFuel, setStuck, withdraw } from './actions/money/desk-money.ts';
import { changeRole } from './people/change-role.ts';
import { rolesView } from './people/desk-roles.ts';
import { hireBy, peopleView, revokeBy, rotateBy } from './people/desk-people.ts';
import { actOnHeld, heldPaymentsView } from './actions/money/held-payments.ts';
import { actOnDoubt, actOnFoundLate, doubtsView, foundLateView } from './actions/money/doubts.ts';
import { abuseView, changeAffiliate, decideAbuse, postbacksView, switchOnPostback } from './actions/money/affiliates.ts';
import { couponsView, newCoupons, stopCouponBy } from './actions/money/coupons.ts';
import { potsView, setAside } from './actions/money/pots.ts';
import { actOnPayin, payinsView } from './actions/money/payins.ts';
import { directionsView } from './reports/directions.ts';
import { positionView, profitView, turnoverView } from './reports/reports.ts';
import { bookRestoredBy, endRestoredBy, restoredView } from './actions/restored.ts';
import { scanFor } from './actions/scan.ts';
import { changePrices, peg } from './actions/prices.ts';
import type { Person } from './people/roles.ts';
import { changeSetting, settingView, settingsView } from './actions/settings.ts';
import { type StopDeps, start, stop, stopsView } from './actions/stops.ts';
import { setDirection, setFeedCode, setPayouts, setRail } from './actions/switches.ts';
import { answer, close as closeTicket, say } from './actions/support.ts';
import { allocate } from './actions/money/unallocated.ts';
import { actOnClaim, claimsView } from './actions/money/claims.ts';
import { actOnWithdrawal, withdrawalsView } from './actions/money/withdrawals.ts';
import { auditView, orderView, ordersView, railsView, requestsView, reservesView } from './views.ts';

/** Names of the room's calls in the contract. Calls about alarms belong to the room alarms. */
type Name = Exclude<Extract<keyof Routes, `operator${string}`>, 'operatorAlarms'>;
type Handlers = { [N in Name]: Work<Routes[N]> };

interface Options extends Omit<StopDeps, 'db'> {
  readonly isSandbox: boolean;
  readonly name: string;
  readonly owners: readonly OwnerKind[];
}

interface RouteDeps extends Options {
  readonly db: Db;
  readonly sender: Showing['sender'];
  readonly showing: Showing;
}

/** Returns the handlers of the room's calls, by the calls' names in the contract. The clock can be moved only in a sandbox. */
export function operatorRoutes(showing: Showing, options: Options): Handlers {
  const deps: RouteDeps = { ...options, db: showing.db, sender: showing.sender, showing };
  const handlers: Handlers = knowingCalls({
    ...orderRoutes(deps),
    ...priceRoutes(deps),
    ...switchRoutes(deps),
    ...reportRoutes(deps),
    ...restoredRoutes(deps),
    ...deskMoneyRoutes(deps),
    ...rewardRoutes(deps),
    ...paymentRoutes(deps),
    ...walletRoutes(deps),
    ...messageRoutes(deps),
    ...customerRoutes(deps),
    ...businessRoutes(deps),
    ...peopleRoutes(deps),
    ...settingRoutes(deps),
    operatorConsent: (input, context) => consent(deps.db, handlers, input, context),
  });
  return handlers;
}

/** Returns the given handlers; the compiler checks them against the types of their calls. */
const handlers = <N extends Name>(some: Pick<Handlers, N>): Pick<Handlers, N> => some;

const orderRoutes = ({ db, sender, showing }: RouteDeps) =>
  handlers({
    operatorOrders: (input) => ordersView(db, input),
    operatorOrder: ({ id }) => orderView(db, showing, id),
    operatorOrderAction: (input, context) => actOn(db, sender, personOf(context), input, context.idempotencyKey),
  });

const priceRoutes = ({ db }: RouteDeps) =>
  handlers({
    operatorDirections: () => directionsView(db),
    operatorDirection: async (input, context) => {
      await setDirection(db, personOf(context), input);
      return { open: input.open };
    },
    operatorFeedCode: async (input, context) => {
      await setFeedCode(db, personOf(context), input);
      return { code: input.code };
    },
    operatorPrices: (input, context) => changePrices(db, personOf(context), input),
    operatorPeg: (input, context) => peg(db, personOf(context), input),
  });

const switchRoutes = (deps: RouteDeps) => {
  const { db } = deps;
  return handlers({
    operatorRails: () => railsView(db),
    operatorRail: (input, context) => setRail(db, personOf(context), input, context.idempotencyKey),
    operatorPayouts: (input, context) => setPayouts(db, personOf(context), input, context.idempotencyKey),
    operatorStops: () => stopsView(db),
    operatorStop: (input, context) => stop(db, personOf(context), input, context.idempotencyKey),
    operatorStart: (input, context) => start(deps, personOf(context), input, context.idempotencyKey),
  });
};

const reportRoutes = ({ db }: RouteDeps) =>
  handlers({
    operatorProfit: (input) => profitView(db, input),
    operatorTurnover: (input) => turnoverView(db, input),
    operatorPosition: (input) => positionView(db, input),
  });

const restoredRoutes = ({ db, owners }: RouteDeps) =>
  handlers({
    operatorRestored: () => restoredView(db, owners),
    operatorRestoredBook: (input, context) => bookRestoredBy(db, personOf(context), input, context.idempotencyKey),
    operatorRestoredEnd: (input, context) => endRestoredBy(db, personOf(context), input, context.idempotencyKey),
    operatorScan: (input, context) => scanFor(db, personOf(context), input),
  });

const deskMoneyRoutes = ({ db, sender }: RouteDeps) =>
  handlers({
    operatorReserves: () => reservesView(db),
    operatorFund: (input, context) => fund(db, personOf(context), input, context.idempotencyKey),
    operatorWithdraw: (input, context) => withdraw(db, personOf(context), input, context.idempotencyKey),
    operatorDifference: (input, context) => bookUnexplained(db, personOf(context), input, context.idempotencyKey),
    operatorClear: (input, context) => clearUnexplained(db, sender, personOf(context), input, context.idempotencyKey),
    operatorStuck: (input, context) => setStuck(db, personOf(context), input, context.idempotencyKey),
    operatorFuel: (input, context) => setFuel(db, personOf(context), input, context.idempotencyKey),
    operatorClose: (input, context) => close(db, personOf(context), input, context.idempotencyKey),
    operatorPots: () => potsView(db),
    operatorPot: (input, context) => setAside(db, personOf(context), input, context.idempotencyKey),
  });

const rewardRoutes = ({ db }: RouteDeps) =>
  handlers({
    operatorAbuse: () => abuseView(db),
    operatorAbuseDecide: (input, context) => decideAbuse(db, personOf(context), input, context.idempotencyKey),
    operatorPostbacks: () => postbacksView(db),
    operatorPostbackOn: (input, context) => switchOnPostback(db, personOf(context), input, context.idempotencyKey),
    operatorAffiliate: (input, context) => changeAffiliate(db, personOf(context), input, context.idempotencyKey),
    operatorCoupons: (input) => couponsView(db, input),
    operatorCouponNew: (input, context) => newCoupons(db, personOf(context), input, context.idempotencyKey),
    operatorCouponStop: (input, context) => stopCouponBy(db, personOf(context), input, context.idempotencyKey),
  });

const paymentRoutes = ({ db, sender, owners }: RouteDeps) =>
  handlers({
    operatorUnallocated: (input, context) => allocate(db, sender, personOf(context), input, context.idempotencyKey),
    operatorArrivals: () => arrivalsView(db, owners),
    operatorArrival: (input, context) => actOnArrival(db, personOf(context), input, context.idempotencyKey),
    operatorDebts: () => debtsView(db, owners),
    operatorRepay: (input, context) => repay(db, sender, personOf(context), input, context.idempotencyKey),
    operatorPayins: (input) => payinsView(db, owners, input),
    operatorPayin: (input, context) => actOnPayin(db, personOf(context), input, context.idempotencyKey),
    operatorFoundLate: () => foundLateView(db, owners),
    operatorFoundLateAction: (input, context) => actOnFoundLate(db, owners, personOf(context), input, context.idempotencyKey),
    operatorDoubts: () => doubtsView(db, owners),
    operatorDoubt: (input, context) => actOnDoubt(db, personOf(context), input, context.idempotencyKey),
  });

const walletRoutes = ({ db, name, sender }: RouteDeps) =>
  handlers({
    operatorClaims: () => claimsView(db),
    operatorClaim: (input, context) => actOnClaim(db, personOf(context), input, { sender, key: context.idempotencyKey }),
    operatorDeposits: () => depositsView(db),
    operatorDeposit: (input, context) => actOnDeposit(db, personOf(context), input, { name, key: context.idempotencyKey }),
    operatorWithdrawals: () => withdrawalsView(db),
    operatorWithdrawal: (input, context) => actOnWithdrawal(db, personOf(context), input, { name, key: context.idempotencyKey }),
  });

const messageRoutes = ({ db, sender, owners }: RouteDeps) =>
  handlers({
    operatorTickets: ({ open, ...page }) => deskTickets(db, { ...page, isWaiting: open === '1' }),
    operatorTicket: ({ id }) => deskTicket(db, owners, id),
    operatorTicketFile: ({ id, n }) => deskFile(db, id, n),
    operatorTicketAnswer: (input, context) => answer({ db, sender, owners }, personOf(context), input, context.idempotencyKey),
    operatorTicketClose: (input, context) => closeTicket({ db, owners }, personOf(context), input, context.idempotencyKey),
    operatorChats: (page) => deskChats(db, page),
    operatorChat: ({ order }) => deskChat(db, owners, order),
    operatorSay: (input, context) => say({ db, owners }, personOf(context), input, context.idempotencyKey),
    operatorDeliveries: (input) => deliveriesView(db, input),
    operatorDelivery: (input) => attemptsView(db, input),
    operatorReplay: (input, context) => replayBy(db, personOf(context), input, context.idempotencyKey),
  });

const customerRoutes = ({ db }: RouteDeps) =>
  handlers({
    operatorLevel: (input, context) => changeLevel(db, personOf(context), input, context.idempotencyKey),
    operatorKnownBy: (input) => keysView(db, input),
    operatorBlocks: () => blocksView(db),
    operatorBlock: (input, context) => block(db, personOf(context), input, context.idempotencyKey),
    operatorUnblock: (input, context) => unblock(db, personOf(context), input, context.idempotencyKey),
  });

const businessRoutes = ({ db, sender }: RouteDeps) =>
  handlers({
    operatorBusinesses: (input) => businessesView(db, input),
    operatorBusiness: ({ id }) => businessForDesk(db, id),
    operatorBusinessDecide: (input, context) => decideBusiness({ db, sender }, personOf(context), input, context.idempotencyKey),
    operatorBusinessLimit: (input, context) => limitBusiness(db, personOf(context), input, context.idempotencyKey),
    operatorHeldPayments: () => heldPaymentsView(db),
    operatorHeldPayment: (input, context) => actOnHeld({ db, sender }, personOf(context), input, context.idempotencyKey),
    operatorBusinessReversible: (input, context) => allowReversible(db, personOf(context), input, context.idempotencyKey),
    operatorBusinessWriteOff: (input, context) => writeOffOfBusiness(db, personOf(context), input, context.idempotencyKey),
    operatorBusinessDisputeCost: (input, context) => bookCostOfDispute(db, personOf(context), input, context.idempotencyKey),
    operatorBusinessSite: (input, context) => decideSite({ db, sender }, personOf(context), input, context.idempotencyKey),
  });

const peopleRoutes = ({ db }: RouteDeps) =>
  handlers({
    operatorPeople: () => peopleView(db),
    operatorRoles: () => rolesView(db),
    operatorRole: (input, context) => changeRole(db, personOf(context), input, context.idempotencyKey),
    operatorHire: (input, context) => hireBy(db, personOf(context), input, context.idempotencyKey),
    operatorRotate: (input, context) => rotateBy(db, personOf(context), input, context.idempotencyKey),
    operatorRevoke: (input, context) => revokeBy(db, personOf(context), input, context.idempotencyKey),
    operatorRequests: () => requestsView(db),
    operatorAudit: (input) => auditView(db, input),
  });

const settingRoutes = ({ db, isSandbox }: RouteDeps) =>
  handlers({
    operatorSettings: async () => settingsView(),
    operatorSetting: ({ key }) => settingView(db, key),
    operatorSettingChange: (input, context) => changeSetting(db, personOf(context), input, context.idempotencyKey),
    operatorClock: async ({ skip }) => {
      if (!isSandbox) throw new Problem('forbidden');
      await advanceClock(db, skip * 1_000);
      return { now: (await db.now()).toISOString() };
    },
  });

function personOf({ operator }: Context): Person {
  if (!operator) throw new Problem('unauthorised');
  return operator as Person;
}
