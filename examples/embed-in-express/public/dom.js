export const element = (id) => document.getElementById(id);

/** Returns list items. Content is text only; user input is never treated as markup. */
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

/** Shows a notice at the top; hides it if the text is empty. */
export function notice(text, isFault = false) {
  const place = element('notice');
  place.textContent = text;
  place.className = isFault ? 'fault' : '';
  place.hidden = text === '';
}

/** Handles a form; a second submit is ignored while the first is running. */
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
