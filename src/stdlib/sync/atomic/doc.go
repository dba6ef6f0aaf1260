// Package atomic: memory words that goroutines share without a lock.
package atomic

import "unsafe"

// SwapInt32 stores new into *addr and returns what was there.
func SwapInt32(addr *int32, new int32) (old int32)

// SwapUint32 stores new into *addr and returns what was there.
func SwapUint32(addr *uint32, new uint32) (old uint32)

// SwapInt64 stores new into *addr and returns what was there.
func SwapInt64(addr *int64, new int64) (old int64)

// SwapUint64 stores new into *addr and returns what was there.
func SwapUint64(addr *uint64, new uint64) (old uint64)

// SwapUintptr stores new into *addr and returns what was there.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr)

// SwapPointer stores new into *addr and returns what was there.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer)

// CompareAndSwapInt32 stores new into *addr if old is there, and says whether it was.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool)

// CompareAndSwapUint32 stores new into *addr if old is there, and says whether it was.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool)

// CompareAndSwapInt64 stores new into *addr if old is there, and says whether it was.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool)

// CompareAndSwapUint64 stores new into *addr if old is there, and says whether it was.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool)

// CompareAndSwapUintptr stores new into *addr if old is there, and says whether it was.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool)

// CompareAndSwapPointer stores new into *addr if old is there, and says whether it was.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool)

// AddInt32 adds delta to *addr and returns the sum.
func AddInt32(addr *int32, delta int32) (new int32)

// AddUint32 adds delta to *addr and returns the sum.
func AddUint32(addr *uint32, delta uint32) (new uint32)

// AddInt64 adds delta to *addr and returns the sum.
func AddInt64(addr *int64, delta int64) (new int64)

// AddUint64 adds delta to *addr and returns the sum.
func AddUint64(addr *uint64, delta uint64) (new uint64)

// AddUintptr adds delta to *addr and returns the sum.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr)

// AndInt32 leaves in *addr those bits that mask has too, and returns what was there.
func AndInt32(addr *int32, mask int32) (old int32)

// AndUint32 leaves in *addr those bits that mask has too, and returns what was there.
func AndUint32(addr *uint32, mask uint32) (old uint32)

// AndInt64 leaves in *addr those bits that mask has too, and returns what was there.
func AndInt64(addr *int64, mask int64) (old int64)

// AndUint64 leaves in *addr those bits that mask has too, and returns what was there.
func AndUint64(addr *uint64, mask uint64) (old uint64)

// AndUintptr leaves in *addr those bits that mask has too, and returns what was there.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr)

// OrInt32 sets in *addr the bits of mask, and returns what was there.
func OrInt32(addr *int32, mask int32) (old int32)

// OrUint32 sets in *addr the bits of mask, and returns what was there.
func OrUint32(addr *uint32, mask uint32) (old uint32)

// OrInt64 sets in *addr the bits of mask, and returns what was there.
func OrInt64(addr *int64, mask int64) (old int64)

// OrUint64 sets in *addr the bits of mask, and returns what was there.
func OrUint64(addr *uint64, mask uint64) (old uint64)

// OrUintptr sets in *addr the bits of mask, and returns what was there.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr)

// LoadInt32 returns *addr.
func LoadInt32(addr *int32) (val int32)

// LoadUint32 returns *addr.
func LoadUint32(addr *uint32) (val uint32)

// LoadInt64 returns *addr.
func LoadInt64(addr *int64) (val int64)

// LoadUint64 returns *addr.
func LoadUint64(addr *uint64) (val uint64)

// LoadUintptr returns *addr.
func LoadUintptr(addr *uintptr) (val uintptr)

// LoadPointer returns *addr.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer)

// StoreInt32 stores val into *addr.
func StoreInt32(addr *int32, val int32)

// StoreUint32 stores val into *addr.
func StoreUint32(addr *uint32, val uint32)

// StoreInt64 stores val into *addr.
func StoreInt64(addr *int64, val int64)

// StoreUint64 stores val into *addr.
func StoreUint64(addr *uint64, val uint64)

// StoreUintptr stores val into *addr.
func StoreUintptr(addr *uintptr, val uintptr)

// StorePointer stores val into *addr.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer)
