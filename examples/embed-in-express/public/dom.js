export const element = (id) => document.getElementById(id);

/** Text only: what people have written is never taken for markup. */
export function listOf(items, whenEmpty, contentOf) {
  if (items.length === 0) return [listItem([whenEmpty], 'quiet')];
  return items.map((item) => listItem(contentOf(item)));
}

function listItem(content, className = '') {
  const item = document.createElement('li');
  item.className = className;
  item.append(...content);
  return item;
}

/** Says something above everything else; nothing when the text is empty. */
export function notice(text, isFault = false) {
  const place = element('notice');
  place.textContent = text;
  place.className = isFault ? 'fault' : '';
  place.hidden = text === '';
}

/** A second click does nothing while the first is at work. */
export function onSubmit(id, work) {
  const form = element(id);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    await work(form);
    button.disabled = false;
  });
}

export const euros = (cents) => (cents / 100).toLocaleString('en-IE', { style: 'currency', currency: 'EUR' });
