import { appData } from './app-data.js';
import { client } from './client.js';

/**
 * Returns the address of an uploaded picture at this service; undefined for every other picture, and while pictures are off. Pages make
 * no request to another host, which would learn of each view.
 */
export const pictureAt = (url: string | undefined): string | undefined =>
  appData.pictures ? client.account.pictureAt(url) : undefined;
