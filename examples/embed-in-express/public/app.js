import { call, Refusal } from './api.js';
import { confirmIdentity } from './confirm.js';
import { element, euros, listOf, notice, onSubmit } from './dom.js';

/** The signed-in user and the selected company. */
const state = { me: undefined, company: undefined };

const inCompany = (method, path, body) => call(method, path, { company: state.company.id, body });

async function start() {
  // The only cookie of Latchkey that scripts can read. Without it the user is signed out: no request is needed.
  if (!document.cookie.includes('lk_state=1')) {
    toSignIn();
    return;
  }
  try {
    state.me = await call('GET', '/api/me');
  } catch (error) {
    if (error instanceof Refusal) toSignIn();
    else fail(error);
    return;
  }
  element('who').textContent = state.me.fullName ?? state.me.email;
  element('sign-out').hidden = false;
  if (state.me.companies.length === 0) {
    element('title').textContent = 'You are in no company yet';
    return;
  }
  fillSwitcher();
  await showCompany();
}

/** Opens Latchkey's sign-in page, which returns here. */
const toSignIn = () => location.replace(`/login?returnTo=${encodeURIComponent(location.pathname)}`);

function fillSwitcher() {
  const select = element('company');
  select.replaceChildren(...state.me.companies.map(({ id, name }) => new Option(name, id)));
  select.value = sessionStorage.getItem('company') ?? '';
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  element('switcher').hidden = false;
}

async function showCompany() {
  const { value } = element('company');
  sessionStorage.setItem('company', value);
  state.company = state.me.companies.find(({ id }) => id === value);
  notice('');
  await refresh();
  element('title').textContent = state.company.name;
  element('invite').hidden = !['ADMIN', 'TENANT_SUPERADMIN'].includes(state.company.role);
  element('content').hidden = false;
}

async function refresh() {
  const [{ invoices, mayApprove }, news] = await Promise.all([
    inCompany('GET', '/api/invoices'),
    inCompany('GET', '/api/activity'),
  ]);
  element('invoices').replaceChildren(
    ...listOf(invoices, 'There are none yet.', (invoice) => invoiceItem(invoice, mayApprove)),
  );
  element('news').replaceChildren(...listOf(news, 'Nothing has happened yet.', ({ message }) => [message]));
}

function invoiceItem(invoice, mayApprove) {
  const text = `No. ${invoice.number}, ${invoice.customer}: ${euros(invoice.cents)}`;
  if (invoice.approvedBy !== null) return [text, badge('approved')];
  if (!mayApprove) return [text, badge('open')];
  const button = document.createElement('button');
  button.textContent = 'Approve';
  button.setAttribute('aria-label', `Approve invoice ${invoice.number}`);
  button.addEventListener('click', () => attempt(() => approve(invoice)));
  return [text, button];
}

function badge(text) {
  const span = document.createElement('span');
  span.className = `badge ${text}`;
  span.textContent = text;
  return span;
}

/** Approves the invoice. If the sign-in is too old, asks the user to confirm their identity and tries again. */
async function approve(invoice) {
  const once = () => inCompany('POST', `/api/invoices/${invoice.id}/approve`);
  try {
    await once();
  } catch (error) {
    if (error.code !== 'reauthentication_required') throw error;
    if (!(await confirmIdentity(state.me))) return;
    state.me = await call('GET', '/api/me');
    await once();
  }
  notice(`Invoice ${invoice.number} is approved.`);
  await refresh();
}

/** Runs the action. Opens the sign-in page if the session has ended, and shows any other error. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (['unauthorized', 'session_revoked'].includes(error.code)) toSignIn();
    else fail(error);
  }
}

const fail = (error) =>
  notice(error instanceof Refusal ? error.message : 'The service cannot be reached. Please try again.', true);

element('company').addEventListener('change', () => attempt(showCompany));

element('sign-out').addEventListener('click', () =>
  attempt(async () => {
    await call('POST', '/auth/logout');
    sessionStorage.clear();
    toSignIn();
  }),
);

onSubmit('new-invoice', (form) =>
  attempt(async () => {
    const cents = Math.round(Number(form.elements.amount.value.replace(',', '.')) * 100);
    const { number } = await inCompany('POST', '/api/invoices', {
      customer: form.elements.customer.value,
      cents,
    });
    form.reset();
    notice(`Invoice ${number} is written.`);
    await refresh();
  }),
);

onSubmit('new-colleague', (form) =>
  attempt(async () => {
    const { email } = await inCompany('POST', '/auth/invitations', {
      email: form.elements.email.value,
      moduleGrants: ['invoicing'],
      metadata: { companyName: state.company.name },
    });
    form.reset();
    notice(`${email} is invited.`);
    await refresh();
  }),
);

void start();
