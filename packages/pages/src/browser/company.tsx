import { goToSignIn } from './account/sign-in-link.js';
import { client } from './client.js';
import { CompanyPage } from './company/page.js';
import { mount } from './ui/mount.js';

// Without a session there is nothing to show, not even for a moment.
if (client.session.state.status === 'signed_out') goToSignIn();
else mount(<CompanyPage />);
