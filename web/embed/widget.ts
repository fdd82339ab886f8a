// `<kurs-calculator>`: shows the calculator on a page of another site, in a frame. The page can't read the frame, nor the frame
// the page.

/** Parameters of the calculator's URL. Each is read from the element's attribute of the same name. */
const TAKEN = ['from', 'to', 'amount', 'ref', 'sub', 'theme', 'accent'];
/** Height of the frame until the calculator reports its own, in pixels. */
const FIRST_HEIGHT = 420;

const ours = new URL((document.currentScript as HTMLScriptElement).src).origin;

class KursCalculator extends HTMLElement {
  static readonly observedAttributes = [...TAKEN, 'lang'];
  #frame: HTMLIFrameElement | undefined;

  connectedCallback(): void {
    const frame = document.createElement('iframe');
    frame.style.cssText = `display:block;width:100%;max-width:440px;height:${FIRST_HEIGHT}px;border:0`;
    frame.loading = 'lazy';
    frame.referrerPolicy = 'no-referrer';
    this.#frame = frame;
    this.attributeChangedCallback();
    this.replaceChildren(frame);
    addEventListener('message', this.#resize);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#resize);
  }

  attributeChangedCallback(): void {
    if (!this.#frame) return;
    const request = this.getAttribute('lang') ?? document.documentElement.lang;
    const lang = request.toLowerCase().startsWith('ru') ? 'ru' : 'en';
    const query = new URLSearchParams(
      TAKEN.flatMap((name) => (this.hasAttribute(name) ? [[name, this.getAttribute(name) ?? '']] : [])),
    );
    this.#frame.title = lang === 'ru' ? 'Калькулятор обмена' : 'Exchange calculator';
    this.#frame.src = `${ours}/embed/${lang}/calculator?${query}`;
  }

  readonly #resize = ({ source, origin: from, data }: MessageEvent): void => {
    const height: unknown = data?.kursHeight;
    if (!this.#frame || source !== this.#frame.contentWindow || from !== ours || typeof height !== 'number') return;
    this.#frame.style.height = `${Math.min(2_000, Math.max(100, Math.ceil(height)))}px`;
  };
}

if (!customElements.get('kurs-calculator')) customElements.define('kurs-calculator', KursCalculator);
