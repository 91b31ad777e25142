import { afterAll, beforeAll, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, visitConsole } from '../support/browser/console-visit.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { takePicture } from './take-picture.js';

/** The views that pages show, and their pictures. */
const VIEWS: readonly (readonly [picture: string, path: (fixture: ConsoleService) => string])[] = [
  ['console', () => ''],
  ['console-user', ({ member }) => `/users/${member.id}`],
];

describeWithBrowser('pictures of the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  it.each(VIEWS)('the view %s is photographed', async (picture, path) => {
    const { service, superadmin } = fixture;
    const { page } = await visitConsole(browser, service, { user: superadmin, path: path(fixture) });
    await loaded(page);
    await takePicture(page, picture);
  });
});
