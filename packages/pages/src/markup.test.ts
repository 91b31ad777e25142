import { describe, expect, it } from 'vitest';
import { markup } from './markup.js';

describe('markup', () => {
  it('markup escapes every value', () => {
    const name = `<script>alert("x")</script> & 'y'`;
    expect(markup`<p title="${name}">${name}</p>`.toString()).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;">' +
        '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;</p>',
    );
  });

  it('markup does not escape markup and lists of markup', () => {
    const items = ['a', '<b>'].map((text) => markup`<li>${text}</li>`);
    expect(markup`<ul>${items}</ul>${markup`<hr>`}${1}`.toString()).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>1',
    );
  });
});
