import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';

export const PICTURE_ENV = { PROFILE_PICTURES: 'on', TRUST_PROXY: '1' };

/** Failures with the reason. */
const PROBLEM = { accept: 'application/problem+json' };

/** Uploads, removes and loads pictures, as front ends do it. */
export class PictureClient {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  set(token: string, file: Buffer): Promise<Answer> {
    return this.send(token, { content: file.toString('base64') });
  }

  send(token: string, body: unknown): Promise<Answer> {
    return this.service.client.send('PUT', '/auth/me/picture', { token, body, headers: PROBLEM });
  }

  remove(token: string): Promise<Answer> {
    return this.service.client.send('DELETE', '/auth/me/picture', { token, headers: PROBLEM });
  }

  /** Uploads a picture. @returns its address. */
  async kept(token: string, file: Buffer): Promise<string> {
    const answer = await this.set(token, file);
    expect(answer.status, answer.text).toBe(200);
    return String(answer.data.profilePictureUrl);
  }

  /** Loads what an address has, as an `<img>` of any page does: without a credential. */
  async load(address: string, init?: RequestInit): Promise<{ response: Response; content: Buffer }> {
    const response = await fetch(new URL(new URL(address).pathname, this.service.url), init);
    return { response, content: Buffer.from(await response.arrayBuffer()) };
  }

  async statusOf(address: string): Promise<number> {
    return (await this.load(address)).response.status;
  }
}
