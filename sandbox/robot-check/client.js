// Script for browsers with the part of the interfaces of Turnstile (turnstile.render) and reCAPTCHA (grecaptcha.render) that an
// explicitly rendered check needs. It adds a box to the page; pressing it returns a token.
(() => {
  const base = new URL('.', document.currentScript.src);
  const WORDS = {
    en: ['I am not a robot', 'Checked', 'Sandbox check'],
    ru: ['Я не робот', 'Проверено', 'Проверка песочницы'],
  };
  const boxes = [];

  const give = async (sitekey) => {
    const body = new URLSearchParams({ sitekey, host: location.hostname });
    const response = await fetch(new URL('token', base), { method: 'POST', body });
    if (!response.ok) throw new Error(`${response.status}`);
    return (await response.json()).token;
  };

  const draw = (box) => {
    const { settings, place } = box;
    const isDark = settings.theme === 'dark';
    const [ask, done, note] = WORDS[String(settings.language ?? settings.hl ?? 'en').slice(0, 2)] ?? WORDS.en;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `☐ ${ask} · ${note}`;
    Object.assign(button.style, {
      width: '300px',
      maxWidth: '100%',
      height: '65px',
      border: `1px solid ${isDark ? '#797979' : '#d3d3d3'}`,
      borderRadius: '3px',
      background: isDark ? '#232323' : '#fafafa',
      color: isDark ? '#f1f1f1' : '#1f1f1f',
      font: '500 14px/20px Roboto, Arial, sans-serif',
      cursor: 'pointer',
    });
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        settings.callback(await give(settings.sitekey));
        button.textContent = `☑ ${done} · ${note}`;
      } catch (error) {
        button.disabled = false;
        settings['error-callback']?.(String(error));
      }
    });
    place.replaceChildren(button);
  };

  const api = {
    render(place, settings) {
      const box = { place: typeof place === 'string' ? document.querySelector(place) : place, settings };
      boxes.push(box);
      draw(box);
      return boxes.length - 1;
    },
    reset: (id = 0) => boxes[id] && draw(boxes[id]),
    remove(id = 0) {
      boxes[id]?.place.replaceChildren();
      boxes[id] = undefined;
    },
    ready: (then) => then(),
  };
  window.turnstile = api;
  window.grecaptcha = api;
})();
