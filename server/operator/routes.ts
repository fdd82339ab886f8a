import { Problem, type Routes } from '@kurs/contract';
import type { OwnerKind } from '../collecting/index.ts';
import type { Showing } from '../exchange/index.ts';
import { type Context, type Work, advanceClock } from '../platform/index.ts';
import { deskChat, deskChats, deskFile, deskTicket, deskTickets } from '../support/index.ts';
import { actOn } from './actions/act-on-order.ts';
import { actOnArrival, arrivalsView } from './actions/money/arrivals.ts';
import { consent, knowingCalls } from './people/consent.ts';
import { block, blocksView, changeLevel, keysView, unblock } from './actions/customers.ts';
import { debtsView, repay } from './actions/money/debts.ts';
import { attemptsView, deliveriesView, replayBy } from './actions/deliveries.ts';
import { actOnDeposit, depositsView } from './actions/money/deposits.ts';
import { bookUnexplained, clearUnexplained, close, fund, setFuel, setStuck, withdraw } from './actions/money/desk-money.ts';
import { changeRole } from './people/change-role.ts';
import { rolesView } from './people/desk-roles.ts';
import { hireBy, peopleView, revokeBy, rotateBy } from './people/desk-people.ts';
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
import { actOnWithdrawal, withdrawalsView } from './actions/money/withdrawals.ts';
import { auditView, orderView, ordersView, railsView, requestsView, reservesView } from './views.ts';

/** Alarms are a room of their own. */
type Names = Exclude<Extract<keyof Routes, `operator${string}`>, 'operatorAlarms'>;

/** The room's calls by their names in the contract. The clock moves in the sandbox only. */
export function operatorRoutes(
  showing: Showing,
  options: {
    readonly isSandbox: boolean;
    readonly name: string;
    readonly owners: readonly OwnerKind[];
  } & Omit<StopDeps, 'db'>,
): { [N in Names]: Work<Routes[N]> } {
  const { db, sender } = showing;
  const { owners } = options;
  const works: { [N in Names]: Work<Routes[N]> } = knowingCalls({
    operatorOrders: (input) => ordersView(db, input),
    operatorOrder: ({ id }) => orderView(db, showing, id),
    operatorOrderAction: (input, context) => actOn(db, sender, personOf(context), input, context.idempotencyKey),
    operatorDirection: async (input, context) => {
      await setDirection(db, personOf(context), input);
      return { open: input.open };
    },
    operatorFeedCode: async (input, context) => {
      await setFeedCode(db, personOf(context), input);
      return { code: input.code };
    },
    operatorPayouts: (input, context) => setPayouts(db, personOf(context), input, context.idempotencyKey),
    operatorStops: () => stopsView(db),
    operatorStop: (input, context) => stop(db, personOf(context), input, context.idempotencyKey),
    operatorStart: (input, context) => start({ db, ...options }, personOf(context), input, context.idempotencyKey),
    operatorRail: (input, context) => setRail(db, personOf(context), input, context.idempotencyKey),
    operatorRails: () => railsView(db),
    operatorDirections: () => directionsView(db),
    operatorProfit: (input) => profitView(db, input),
    operatorTurnover: (input) => turnoverView(db, input),
    operatorPosition: (input) => positionView(db, input),
    operatorRestored: () => restoredView(db, owners),
    operatorRestoredBook: (input, context) => bookRestoredBy(db, personOf(context), input, context.idempotencyKey),
    operatorScan: (input, context) => scanFor(db, personOf(context), input),
    operatorRestoredEnd: (input, context) => endRestoredBy(db, personOf(context), input, context.idempotencyKey),
    operatorFund: (input, context) => fund(db, personOf(context), input, context.idempotencyKey),
    operatorWithdraw: (input, context) => withdraw(db, personOf(context), input, context.idempotencyKey),
    operatorDifference: (input, context) => bookUnexplained(db, personOf(context), input, context.idempotencyKey),
    operatorClear: (input, context) => clearUnexplained(db, sender, personOf(context), input, context.idempotencyKey),
    operatorUnallocated: (input, context) => allocate(db, sender, personOf(context), input, context.idempotencyKey),
    operatorStuck: (input, context) => setStuck(db, personOf(context), input, context.idempotencyKey),
    operatorFuel: (input, context) => setFuel(db, personOf(context), input, context.idempotencyKey),
    operatorAbuse: () => abuseView(db),
    operatorAbuseDecide: (input, context) => decideAbuse(db, personOf(context), input, context.idempotencyKey),
    operatorPostbacks: () => postbacksView(db),
    operatorPostbackOn: (input, context) => switchOnPostback(db, personOf(context), input, context.idempotencyKey),
    operatorAffiliate: (input, context) => changeAffiliate(db, personOf(context), input, context.idempotencyKey),
    operatorCoupons: (input) => couponsView(db, input),
    operatorCouponNew: (input, context) => newCoupons(db, personOf(context), input, context.idempotencyKey),
    operatorCouponStop: (input, context) => stopCouponBy(db, personOf(context), input, context.idempotencyKey),
    operatorPots: () => potsView(db),
    operatorPot: (input, context) => setAside(db, personOf(context), input, context.idempotencyKey),
    operatorClose: (input, context) => close(db, personOf(context), input, context.idempotencyKey),
    operatorPrices: (input, context) => changePrices(db, personOf(context), input),
    operatorPeg: (input, context) => peg(db, personOf(context), input),
    operatorReserves: () => reservesView(db),
    operatorArrivals: () => arrivalsView(db, owners),
    operatorArrival: (input, context) => actOnArrival(db, personOf(context), input, context.idempotencyKey),
    operatorDebts: () => debtsView(db, owners),
    operatorRepay: (input, context) => repay(db, sender, personOf(context), input, context.idempotencyKey),
    operatorPayins: (input) => payinsView(db, owners, input),
    operatorPayin: (input, context) => actOnPayin(db, personOf(context), input, context.idempotencyKey),
    operatorDeposits: () => depositsView(db),
    operatorDeposit: (input, context) =>
      actOnDeposit(db, personOf(context), input, { name: options.name, key: context.idempotencyKey }),
    operatorFoundLate: () => foundLateView(db, owners),
    operatorFoundLateAction: (input, context) => actOnFoundLate(db, owners, personOf(context), input, context.idempotencyKey),
    operatorDoubts: () => doubtsView(db, owners),
    operatorDoubt: (input, context) => actOnDoubt(db, personOf(context), input, context.idempotencyKey),
    operatorWithdrawals: () => withdrawalsView(db),
    operatorWithdrawal: (input, context) =>
      actOnWithdrawal(db, personOf(context), input, { name: options.name, key: context.idempotencyKey }),
    operatorTickets: ({ open, ...page }) => deskTickets(db, { ...page, waiting: open === '1' }),
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
    operatorAudit: (input) => auditView(db, input),
    operatorRequests: () => requestsView(db),
    operatorSettings: async () => settingsView(),
    operatorSetting: ({ key }) => settingView(db, key),
    operatorSettingChange: (input, context) => changeSetting(db, personOf(context), input, context.idempotencyKey),
    operatorLevel: (input, context) => changeLevel(db, personOf(context), input, context.idempotencyKey),
    operatorKnownBy: (input) => keysView(db, input),
    operatorBlocks: () => blocksView(db),
    operatorBlock: (input, context) => block(db, personOf(context), input, context.idempotencyKey),
    operatorUnblock: (input, context) => unblock(db, personOf(context), input, context.idempotencyKey),
    operatorPeople: () => peopleView(db),
    operatorRoles: () => rolesView(db),
    operatorRole: (input, context) => changeRole(db, personOf(context), input, context.idempotencyKey),
    operatorHire: (input, context) => hireBy(db, personOf(context), input, context.idempotencyKey),
    operatorRotate: (input, context) => rotateBy(db, personOf(context), input, context.idempotencyKey),
    operatorRevoke: (input, context) => revokeBy(db, personOf(context), input, context.idempotencyKey),
    operatorConsent: (input, context) => consent(db, works, input, context),
    operatorClock: async ({ skip }) => {
      if (!options.isSandbox) throw new Problem('forbidden');
      await advanceClock(db, skip * 1_000);
      return { now: (await db.now()).toISOString() };
    },
  });
  return works;
}

function personOf({ operator }: Context): Person {
  if (!operator) throw new Problem('unauthorised');
  return operator as Person;
}
