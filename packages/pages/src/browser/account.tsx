import { AccountPage } from './account/page.js';
import { goToSignIn } from './account/sign-in-link.js';
import { actingCode } from './acting-tab.js';
import { client } from './client.js';
import { ActingEntry } from './ui/acting.js';
import { mount } from './ui/mount.js';

if (actingCode !== undefined) {
  mount(
    <ActingEntry code={actingCode}>
      <AccountPage />
    </ActingEntry>,
  );
}
// Without a session there is nothing to show, not even for a moment.
else if (client.session.state.status === 'signed_out') goToSignIn();
else mount(<AccountPage />);
