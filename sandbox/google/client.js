// Script for browsers with the part of Google's interface (google.accounts.id) that a sign-in button needs. As Google's does, it
// adds a button to the page, opens a window of the provider, and passes its result to the page.
(() => {
  const base = new URL('.', document.currentScript.src);
  const WORDS = { en: 'Continue with Google', ru: 'Продолжить с Google' };
  const MARK = [
    ['#4285F4', 'M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62z'],
    ['#34A853', 'M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26a5.4 5.4 0 0 1-8.07-2.85H.96v2.33A9 9 0 0 0 9 18z'],
    ['#FBBC05', 'M3.97 10.71a5.41 5.41 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08z'],
    ['#EA4335', 'M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3.01 2.33A5.36 5.36 0 0 1 9 3.58z'],
  ];
  let settings;
  let popup;

  const signIn = () => {
    if (!settings) throw new Error('google.accounts.id.initialize() comes first');
    const address = new URL('select', base);
    const { client_id, nonce = '' } = settings;
    address.search = new URLSearchParams({ client_id, nonce, origin: location.origin }).toString();
    popup = open(address, 'google-sign-in', 'popup,width=480,height=680');
  };
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== base.origin || source === null || source !== popup || typeof data?.credential !== 'string') return;
    settings?.callback({ credential: data.credential, select_by: 'btn', client_id: settings.client_id });
  });

  const drawMark = () => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 18 18');
    svg.setAttribute('width', '18');
    svg.setAttribute('height', '18');
    svg.setAttribute('aria-hidden', 'true');
    for (const [fill, d] of MARK) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('fill', fill);
      path.setAttribute('d', d);
      svg.append(path);
    }
    return svg;
  };

  /** Draws the button into an element and replaces its content. Its maximum width is 400 pixels, as Google's. */
  const renderButton = (parent, { theme = 'outline', width = 200, locale = 'en' } = {}, onClick = undefined) => {
    const isDark = theme === 'filled_black';
    const button = document.createElement('div');
    button.setAttribute('role', 'button');
    button.tabIndex = 0;
    Object.assign(button.style, {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'center',
      gap: '10px',
      boxSizing: 'border-box',
      width: `${Math.min(400, Math.max(200, Number(width)))}px`,
      maxWidth: '100%',
      height: '40px',
      border: `1px solid ${isDark ? '#8e918f' : '#747775'}`,
      borderRadius: '4px',
      background: isDark ? '#131314' : '#fff',
      color: isDark ? '#e3e3e3' : '#1f1f1f',
      font: '500 14px/20px Roboto, Arial, sans-serif',
      cursor: 'pointer',
      userSelect: 'none',
    });
    const words = document.createElement('span');
    words.textContent = WORDS[String(locale).slice(0, 2)] ?? WORDS.en;
    button.append(drawMark(), words);
    const press = () => {
      onClick?.();
      signIn();
    };
    button.addEventListener('click', press);
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      press();
    });
    parent.replaceChildren(button);
  };

  const id = {
    initialize: (given) => void (settings = given),
    renderButton,
    // One Tap is not supported.
    prompt: (listener) =>
      listener?.({ isNotDisplayed: () => true, isSkippedMoment: () => false, isDismissedMoment: () => false }),
    cancel: () => popup?.close(),
    disableAutoSelect: () => undefined,
  };
  window.google = { accounts: { id } };
})();
