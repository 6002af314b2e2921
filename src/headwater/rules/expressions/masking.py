"""Expressions whose value does not tell the value that went in: hashes, masks, encryption, counts of anything."""

MASKING = frozenset({
    "AesEncrypt", "BitmapCount", "CollationAwareMurmur3Hash", "CollationAwareXxHash64", "Count",
    "CountIf", "CountMinSketchAgg", "Crc32", "HiveHash", "HllSketchAgg", "HllSketchEstimate", "HyperLogLogPlusPlus",
    "Mask", "Md5", "Murmur3Hash", "RegrCount", "Sha1", "Sha2", "ThetaSketchAgg", "ThetaSketchEstimate",
    "XxHash64",
})  # fmt: skip
