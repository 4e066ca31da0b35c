/** /operator/v1/banner: a text for all customers. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Management } from '../../operator/management.ts';
import type { Banner, BannerText } from '../../redis/banner.ts';
import { answerOf } from './answer.ts';
import { actorOf } from './authentication.ts';
import { getBanner, removeBanner, setBanner } from './banner.contract.ts';
import type { OverviewFeed } from './overview-feed.ts';

export interface BannerRoutesOptions {
  readonly banner: Banner;
  readonly management: Management;
  readonly feed: OverviewFeed;
}

/** Register it in a scope that only operators enter. */
export const bannerRoutes: FastifyPluginAsyncTypebox<BannerRoutesOptions> = async (app, options) => {
  const { banner, management, feed } = options;
  app.get(getBanner.path, { schema: getBanner.schema }, async (request) =>
    describe(await answerOf(request, banner.get())),
  );

  app.put(setBanner.path, { schema: setBanner.schema }, async (request) => {
    const { text, until } = request.body;
    const wanted = { text, until: until === undefined ? null : new Date(until).toISOString() };
    const set = await answerOf(request, management.setBanner(actorOf(request), wanted));
    feed.tellNow();
    return describe(set);
  });

  app.delete(removeBanner.path, { schema: removeBanner.schema }, async (request) => {
    await answerOf(request, management.setBanner(actorOf(request), undefined));
    feed.tellNow();
    return describe(undefined);
  });
};

function describe(banner: BannerText | undefined) {
  return { banner: banner ?? null };
}
