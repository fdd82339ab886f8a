// Pricing: directions, their prices, and the amounts that the desk can promise.
//
// currency    the customer's choice: a unit's money on one rail
// direction   an ordered pair of currencies with its fee steps, costs, limits and switch; `slug` names its page
// view        this process's copy of the database rows that decide prices; with it, a quote makes no database call
// inputs      the data that decides prices at one moment: the view, market rates, rails and settings
// context     the customer and the purpose that a price is made for: level, wallets, discounts
// price       made of inputs and a context: terms, bounds, and the reason if the direction is closed; pure
// terms       the price of a direction at one moment: rate, fee steps, cost lines, minimum margin
// breakdown   the price of one amount under terms: its components, the amounts exchanged and received (@kurs/money)
// component   a line of a price: the desk's fee, a discount or a cost, with its name, its account and its payer
// quote       a price breakdown with its limits, reserve and market snapshot
// reserve     the amount that the desk can promise in a currency: its free money less a margin, at most the rail's payable amount
// closed      a direction that takes no new orders; the reason is a key of the contract's words

export {
  type DirectionInput,
  saveDirection,
  saveFeedCode,
  smallestRetainedShare,
  switchDirection,
} from './directions/change-direction.ts';
export { type Direction, cyclesThatGain, edgeOf } from './directions/direction.ts';
export { type FeedItem, ratesFeed } from './feed/feed.ts';
export { feedJson, feedText, feedXml } from './feed/feed-formats.ts';
export { heldShare } from './price/held-share.ts';
export { type RequestedDiscount, type PriceContext, type WalletSides, isWallet, loyaltyDiscount } from './price/context.ts';
export { runCosts } from './known/network-costs.ts';
export { type DirectionChange, type PriceChange, type QuoteChange, previewChange, previewSetting } from './quotes/preview.ts';
export { closedNow, price, refundTerms, reserveOf } from './price/price-now.ts';
export { currentTerms, movedAgainstDesk, quote, takesMoreNow, worthOf } from './quotes/quote.ts';
export { USUAL_PURPOSE } from './known/purpose.ts';
export { saveRailCost } from './known/rail-costs.ts';
export { readReserve } from './known/reserve.ts';
export { pricingRoutes } from './routes.ts';
export { receivingTerms } from './price/receiving-terms.ts';
export { seedPricing } from './seed.ts';
export { sendingTerms } from './price/sending-fee.ts';
export { type NetworkCost } from './directions/store.ts';
export { currentView, directionOf, isSending, listedCurrency } from './known/view.ts';
export { type PricingOptions, type PricingWatch, watchPricing } from './known/watch.ts';
export { ownCost, sendingCost } from './price/ways.ts';
export { componentsWire, directionsWire, quoteWire, rateWire } from './quotes/wire.ts';
