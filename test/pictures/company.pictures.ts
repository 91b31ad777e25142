import { afterAll, beforeAll, it } from 'vitest';
import { startCompanyService, visitCompany, type CompanyService } from '../support/browser/company-page.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { takePicture } from './take-picture.js';

describeWithBrowser('pictures of the page of a company', (browser) => {
  let fixture: CompanyService;
  beforeAll(async () => {
    fixture = await startCompanyService();
  });
  afterAll(() => fixture.stop());

  it('the members of a company are photographed', async () => {
    const { service, company, owner } = fixture;
    await service.sql(`UPDATE company_memberships SET created_at = now() - interval '40 days'`);
    const { page } = await visitCompany({ browser, service, user: owner, path: `/${company.id}` });
    await page.locator('.row-item').first().waitFor();
    await takePicture(page, 'company');
  });
});
