// Pricing: what can be exchanged for what, at what price, and how much of it the desk can promise.
//
// currency    a thing a customer picks: a unit's money on one rail
// direction   an ordered pair of currencies with its spread steps, costs, limits and switch; `slug` names its page
// view        this process's copy of all that decides a price, read each half second; a quote asks no database
// known       the view with the market, the rails and the settings of one moment
// price       what is known, for whom and for what (context): terms, bounds, and why nobody can deal at it; pure
// terms       the price of a direction at one moment: rate, list steps, cost lines, what the desk must keep
// breakdown   the price of one amount under terms: its components, what is exchanged and what is got (@kurs/money)
// component   a line of a price: the desk's fee, a discount or a cost, with its name, its account and who bears it
// quote       a price breakdown with the limits, the reserve and the snapshot it was made from
// keep        minimum margin: what is never discounted away
// reserve     what the desk can promise in a currency: its own free money less 5 %, or what the rail can pay
// closed      a direction takes no new orders; the reason is a key of the contract's words

export {
  type DirectionInput,
  saveDirection,
  saveFeedCode,
  smallestKeptShare,
  switchDirection,
} from './directions/change-direction.ts';
export { type Direction, cyclesThatGain, edgeOf } from './directions/direction.ts';
export { type FeedItem, ratesFeed } from './feed/feed.ts';
export { feedJson, feedText, feedXml } from './feed/feed-formats.ts';
export { heldShare } from './price/held-share.ts';
export { type AskedDiscount, type PriceContext, type WalletSides, isWallet, loyaltyDiscount } from './price/context.ts';
export { runCosts } from './known/network-costs.ts';
export { type DirectionChange, type PriceChange, type QuoteChange, previewChange, previewSetting } from './quotes/preview.ts';
export { closedNow, price, refundTerms, reserveOf } from './price/price-now.ts';
export { currentTerms, movedAgainstDesk, quote, takesMoreNow, worthOf } from './quotes/quote.ts';
export { USUAL_PURPOSE } from './known/purpose.ts';
export { saveRailCost } from './known/rail-costs.ts';
export { readReserve } from './known/reserve.ts';
export { pricingRoutes } from './routes.ts';
export { seedPricing } from './seed.ts';
export { sendingTerms } from './price/sending-fee.ts';
export { type NetworkCost } from './directions/store.ts';
export { currentView, directionOf, isSending, listedCurrency } from './known/view.ts';
export { type PricingOptions, type PricingWatch, watchPricing } from './known/watch.ts';
export { ownCost, sendingCost } from './price/ways.ts';
export { componentsWire, directionsWire, quoteWire, rateWire } from './quotes/wire.ts';
